// Asks a signer from the main thread, which waits for the answer: signing is part of making a vertex, and nothing else may
// run between (host/ordering).

import { MessageChannel, receiveMessageOnPort, Worker } from 'node:worker_threads';
import { systemProgram } from './files.ts';
import type { SignerReply } from './signer-thread.ts';
import { noteThread } from './thread-memory.ts';

/** How long a signer may be away, as over its restart, before the node gives up. */
const PATIENCE_MS = 5000;
const MARGIN_MS = 2000;

/** Errors, of a call: the signer does not answer. */
export function signerCall(path: string): (question: Uint8Array) => Uint8Array {
  const flag = new Int32Array(new SharedArrayBuffer(4));
  const { port1, port2 } = new MessageChannel();
  const worker = new Worker(systemProgram.path('host/world/system/signer-thread.js'), {
    workerData: { path, flag, patienceMs: PATIENCE_MS, port: port2 },
    transferList: [port2],
  });
  noteThread(worker, 'signer');
  worker.unref();
  port1.unref();
  return (question) => {
    Atomics.store(flag, 0, 0);
    port1.postMessage(question);
    Atomics.wait(flag, 0, 0, PATIENCE_MS + MARGIN_MS);
    const reply = receiveMessageOnPort(port1)?.message as SignerReply | undefined;
    if (!reply?.answer) throw new Error(`the signer at ${path} does not answer`);
    return reply.answer;
  };
}
