// The thread of a room: loads its program, and carries bytes between it and the opener.
// Keeps: bytes that come before the program is loaded are taken in order when it is; what the program does not catch is the
// opener's to know, who closes the room.

import { parentPort, workerData } from 'node:worker_threads';
import type { RoomProgram } from '../threads.ts';

export interface RoomData {
  file: string;
  data: unknown;
}

const { file, data } = workerData as RoomData;
const port = parentPort!;
const { default: program } = (await import(file)) as { default: RoomProgram<unknown> };
const take = await program(data, (bytes) => port.postMessage(bytes, [bytes.buffer]));
// Not left to the runtime, which would end the thread: the library of a driver holds sockets open in its loop, so the process
// would abort before anybody has read the reason.
process.on('uncaughtException', (thrown: unknown) => {
  // Only what can be copied to another thread.
  const { message, stack } = thrown instanceof Error ? thrown : new Error(String(thrown));
  port.postMessage(Object.assign(new Error(message), { stack }));
});
port.on('message', take);
port.postMessage('loaded');
