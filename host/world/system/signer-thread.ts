// The thread that talks to a signer while the main thread waits (signer-call.ts).
// Keeps: one question at a time; a question that a lost connection left without an answer is asked again on a new one,
// for a bounded time: the signer answers the same question the same way.

import { connect, type Socket } from 'node:net';
import { type MessagePort, workerData } from 'node:worker_threads';
import { systemClock } from './clock.ts';
import { FrameReader, framed } from './signer-socket.ts';

/** Undefined answer: the signer was not reached in time. */
export interface SignerReply {
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
  const reader = new FrameReader((frame) => onAnswer(frame));
  opened.on('data', (data: Buffer) => void (reader.take(data) || opened.destroy()));
  opened.on('error', () => {});
  opened.on('close', () => {
    if (socket === opened) socket = undefined;
    onAnswer(undefined);
  });
  return opened;
}

function askOnce(question: Uint8Array): Promise<Uint8Array | undefined> {
  return new Promise((resolve) => {
    onAnswer = (answer) => {
      onAnswer = () => {};
      resolve(answer);
    };
    socket ??= open();
    socket.write(framed(question));
  });
}

async function ask(question: Uint8Array): Promise<Uint8Array | undefined> {
  const startedMs = systemClock.monotonicMs();
  for (;;) {
    const answer = await askOnce(question);
    if (answer || systemClock.monotonicMs() - startedMs > patienceMs) return answer;
    await new Promise<void>((done) => systemClock.setTimer(done, RETRY_MS));
  }
}

port.on('message', (question: Uint8Array) => {
  void ask(question).then((answer) => {
    port.postMessage({ answer } satisfies SignerReply);
    Atomics.store(flag, 0, 1);
    Atomics.notify(flag, 0);
  });
});
