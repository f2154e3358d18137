// The thread of a room: loads its program, and carries bytes between it and the opener.
// Keeps: bytes that come before the program is loaded are taken in order when it is.

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
port.on('message', take);
port.postMessage('loaded');
