// Stands for the socket of a stream until the other thread, or the driver, has opened it: what is asked of it before is done
// then, in order.

import type { StreamSocket } from '../world/http.ts';

export class LateSocket implements StreamSocket {
  #socket: StreamSocket | undefined;
  #calls: ((socket: StreamSocket) => void)[] = [];

  open(socket: StreamSocket): void {
    this.#socket = socket;
    for (const call of this.#calls.splice(0)) call(socket);
  }

  #do(call: (socket: StreamSocket) => void): void {
    if (this.#socket) call(this.#socket);
    else this.#calls.push(call);
  }

  send(messages: readonly Uint8Array[]): void {
    this.#do((socket) => socket.send(messages));
  }

  /** Nothing is queued before it is open, as far as a caller can tell. */
  unsentBytes(): number {
    return this.#socket?.unsentBytes() ?? 0;
  }

  ping(): void {
    this.#do((socket) => socket.ping());
  }

  close(code: number, reason: string): void {
    this.#do((socket) => socket.close(code, reason));
  }

  terminate(): void {
    this.#do((socket) => socket.terminate());
  }
}
