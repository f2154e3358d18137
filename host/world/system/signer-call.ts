// Asks a signer from the main thread, which waits for the answer: signing is part of making a vertex, and nothing else may
// run between (host/ordering).
// Keeps: an answer is that of its question: one that comes after its caller gave up is nobody's.

import { MessageChannel, receiveMessageOnPort, Worker } from 'node:worker_threads';
import { systemClock } from './clock.ts';
import { systemProgram } from './files.ts';
import type { SignerQuestion, SignerReply } from './signer-thread.ts';
import { noteThread } from './thread-memory.ts';

/** How long a signer may be away, as over its restart, before the node gives up. */
const PATIENCE_MS = 5000;
const MARGIN_MS = 2000;

/** Errors, of a call: the signer does not answer. */
export function signerCall(path: string, patienceMs = PATIENCE_MS): (question: Uint8Array) => Uint8Array {
  const flag = new Int32Array(new SharedArrayBuffer(4));
  const { port1, port2 } = new MessageChannel();
  const worker = new Worker(systemProgram.path('host/world/system/signer-thread.js'), {
    workerData: { path, flag, patienceMs, port: port2 },
    transferList: [port2],
  });
  noteThread(worker, 'signer');
  worker.unref();
  port1.unref();
  let asked = 0;
  const answered = (): SignerReply | undefined => {
    for (;;) {
      const reply = receiveMessageOnPort(port1)?.message as SignerReply | undefined;
      if (!reply || reply.number === asked) return reply;
    }
  };
  return (question) => {
    asked += 1;
    const endMs = systemClock.monotonicMs() + patienceMs + MARGIN_MS;
    port1.postMessage({ number: asked, question } satisfies SignerQuestion);
    for (;;) {
      const leftMs = endMs - systemClock.monotonicMs();
      Atomics.wait(flag, 0, 0, Math.max(0, leftMs));
      // Before the port is read: what comes afterwards sets it again.
      Atomics.store(flag, 0, 0);
      const reply = answered();
      if (reply?.answer) return reply.answer;
      if (reply || leftMs <= 0) throw new Error(`the signer at ${path} does not answer`);
    }
  };
}
