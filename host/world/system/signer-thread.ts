// The thread that talks to a signer while the main thread waits (signer-call.ts).
// Keeps: one question at a time; a question that a lost connection left without an answer is asked again on a new one,
// for a bounded time: the signer answers the same question the same way. A connection that owes an answer when the time is
// over is ended, so what comes late answers nothing.

import { connect, type Socket } from 'node:net';
import { type MessagePort, workerData } from 'node:worker_threads';
import { systemClock } from './clock.ts';
import { FrameReader, framed } from './signer-socket.ts';

export interface SignerQuestion {
  number: number;
  question: Uint8Array;
}

/** Undefined answer: the signer did not answer in time. */
export interface SignerReply {
  number: number;
  answer: Uint8Array | undefined;
}

interface Data {
  path: string;
  /** Set to 1 and notified when a reply was posted. */
  flag: Int32Array;
  patienceMs: number;
  port: MessagePort;
}

const { path, flag, patienceMs, port } = workerData as Data;
const RETRY_MS = 50;

let socket: Socket | undefined;
let onAnswer: (answer: Uint8Array | undefined) => void = () => {};

function open(): Socket {
  const opened = connect(path);
  const reader = new FrameReader((frame) => {
    if (socket === opened) onAnswer(frame);
  });
  opened.on('data', (data: Buffer) => void (reader.take(data) || opened.destroy()));
  opened.on('error', () => {});
  opened.on('close', () => {
    if (socket === opened) lost();
  });
  return opened;
}

/** The connection is gone, or given up. */
function lost(): void {
  socket = undefined;
  onAnswer(undefined);
}

function askOnce(question: Uint8Array, forMs: number): Promise<Uint8Array | undefined> {
  return new Promise((resolve) => {
    const cancel = systemClock.setTimer(() => {
      socket?.destroy();
      lost();
    }, forMs);
    onAnswer = (answer) => {
      onAnswer = () => {};
      cancel();
      resolve(answer);
    };
    socket ??= open();
    socket.write(framed(question));
  });
}

async function ask(question: Uint8Array): Promise<Uint8Array | undefined> {
  const endMs = systemClock.monotonicMs() + patienceMs;
  for (;;) {
    const answer = await askOnce(question, Math.max(0, endMs - systemClock.monotonicMs()));
    if (answer || systemClock.monotonicMs() >= endMs) return answer;
    await new Promise<void>((done) => systemClock.setTimer(done, RETRY_MS));
  }
}

let last: Promise<unknown> = Promise.resolve();
port.on('message', ({ number, question }: SignerQuestion) => {
  last = last.then(async () => {
    const answer = await ask(question);
    port.postMessage({ number, answer } satisfies SignerReply);
    Atomics.store(flag, 0, 1);
    Atomics.notify(flag, 0);
  });
});
