// The unix socket between a node and its signer: frames of a u32 length (little-endian) and bytes, a question and its
// answer in turn.
// Keeps: only this user opens the socket, or its group where that is asked for; one node at a time; a socket file that a killed signer left is taken over, that of a
// running one is not; a frame is bounded.

import { chmodSync, existsSync, unlinkSync } from 'node:fs';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { join, relative, resolve } from 'node:path';

export const MAX_FRAME_BYTES = 1 << 20;
const LENGTH_BYTES = 4;
/** What every system takes; a longer path is cut off without a word. */
const MAX_PATH_BYTES = 103;

export function framed(bytes: Uint8Array): Buffer {
  const frame = Buffer.alloc(LENGTH_BYTES + bytes.length);
  frame.writeUInt32LE(bytes.length);
  frame.set(bytes, LENGTH_BYTES);
  return frame;
}

/** Collects what arrives; calls back with each whole frame. False: the frame is too long. */
export class FrameReader {
  #bytes = Buffer.alloc(0);

  constructor(private readonly onFrame: (frame: Uint8Array) => void) {}

  take(data: Buffer): boolean {
    this.#bytes = Buffer.concat([this.#bytes, data]);
    while (this.#bytes.length >= LENGTH_BYTES) {
      const length = this.#bytes.readUInt32LE();
      if (length > MAX_FRAME_BYTES) return false;
      if (this.#bytes.length < LENGTH_BYTES + length) return true;
      const frame = new Uint8Array(this.#bytes.subarray(LENGTH_BYTES, LENGTH_BYTES + length));
      this.#bytes = this.#bytes.subarray(LENGTH_BYTES + length);
      this.onFrame(frame);
    }
    return true;
  }
}

const answers = (path: string): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(path);
    socket.once('connect', () => {
      socket.destroy();
      resolve(true);
    });
    // Only a socket file that nobody holds refuses; one that is busy, or another user's, is not taken over.
    socket.once('error', ({ code }: NodeJS.ErrnoException) =>
      resolve(code !== 'ECONNREFUSED' && code !== 'ENOENT'),
    );
  });

/** Makes the place free. Errors: `taken`, when a process listens there; a path that is too long. */
async function takePlace(path: string, taken: string): Promise<void> {
  if (Buffer.byteLength(path) > MAX_PATH_BYTES)
    throw new Error(
      `a socket cannot have a path of more than ${MAX_PATH_BYTES} bytes: give a shorter path than ${path}`,
    );
  if (!existsSync(path)) return;
  if (await answers(path)) throw new Error(taken);
  unlinkSync(path);
}

function listening(server: Server, path: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(path, () => {
      server.removeListener('error', reject);
      resolve();
    });
  });
}

export interface SignerSocket {
  close(): Promise<void>;
}

/** As short as can be: absolute, or from here. */
function holdPath(dataDir: string): string {
  const path = join(resolve(dataDir), 'signer.lock');
  const fromHere = relative('', path);
  return fromHere.length < path.length ? fromHere : path;
}

/** Does a signer that runs hold this directory. */
export const isHeld = async (dataDir: string): Promise<boolean> =>
  existsSync(holdPath(dataDir)) && (await answers(holdPath(dataDir)));

/**
 * Holds a directory of a key for one signer, by a socket that nobody is answered at: it ends with the process.
 * Errors: another signer holds it.
 */
export async function holdKeyDirectory(dataDir: string): Promise<SignerSocket> {
  const path = holdPath(dataDir);
  await takePlace(path, `another signer has the key in ${dataDir}: stop it first`);
  const server = createServer((socket) => socket.destroy());
  await listening(server, path);
  chmodSync(path, 0o600);
  return { close: () => new Promise((resolve) => server.close(() => resolve())) };
}

/**
 * `refusal`: what a second node is answered. `isForGroup`: a node under another user of the socket's group may connect.
 * Errors: another signer listens at this path.
 */
export async function listenSigner(
  path: string,
  answer: (question: Uint8Array) => Promise<Uint8Array>,
  refusal: Uint8Array,
  isForGroup = false,
): Promise<SignerSocket> {
  await takePlace(path, `another signer listens at ${path}`);
  let current: Socket | undefined;
  const sockets = new Set<Socket>();
  const server: Server = createServer((socket) => {
    sockets.add(socket);
    let turn: Promise<void> = Promise.resolve();
    const reader = new FrameReader((question) => {
      // Who only looks whether somebody listens asks nothing and takes no place.
      current ??= socket;
      const isFirst = current === socket;
      turn = turn
        .then(async () => {
          const bytes = isFirst ? await answer(question) : refusal;
          if (!socket.destroyed) socket.write(framed(bytes));
        })
        .catch(() => void socket.destroy());
    });
    socket.on('data', (data: Buffer) => void (reader.take(data) || socket.destroy()));
    socket.on('error', () => {});
    socket.on('close', () => {
      sockets.delete(socket);
      if (current === socket) current = undefined;
    });
  });
  await listening(server, path);
  chmodSync(path, isForGroup ? 0o660 : 0o600);
  return {
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  };
}
