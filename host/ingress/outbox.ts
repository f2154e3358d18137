// What one side of a thread has to tell the other: the frames of a turn of the loop leave as one packet at its end.

import type { Clock } from '../world/clock.ts';
import { PacketWriter } from './packet.ts';

interface OutboxOptions {
  clock: Pick<Clock, 'soon'>;
  post(packet: Uint8Array<ArrayBuffer>): void;
  /** Called at the end of a turn, to add the frames that wait for it. */
  beforeLeaving?(): void;
}

export class Outbox {
  readonly #out = new PacketWriter();
  #isDue = false;

  constructor(private readonly o: OutboxOptions) {}

  /** Begins a frame. Ticket 0: it is about no request and no stream. */
  frame(kind: number, ticket: number): PacketWriter {
    if (this.#out.isFull) this.#post();
    this.schedule();
    return this.#out.u8(kind).u32(ticket);
  }

  /** There will be something to tell at the end of this turn. */
  schedule(): void {
    if (this.#isDue) return;
    this.#isDue = true;
    this.o.clock.soon(() => {
      this.o.beforeLeaving?.();
      this.#isDue = false;
      this.#post();
    });
  }

  #post(): void {
    if (!this.#out.isEmpty) this.o.post(this.#out.take());
  }
}
