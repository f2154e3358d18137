// Follows the node's event stream from the demo's first step to its last.
// Keeps: every event once and in order, or the demo fails; compared with the node's own list of events.

import { WebSocket } from 'ws';
import {
  type EventRow,
  followEvents,
  type SocketLike,
  type StreamMessage,
  type VwsClient,
} from '../host/client/index.ts';
import { systemClock } from '../host/world/system/clock.ts';
import { DemoFault, type Report } from './demo-report.ts';

const PAGE_SIZE = 200;
/** Longest wait for executed events to arrive over the stream. */
const ARRIVAL_MS = 10_000;

export class Listener {
  private readonly received: StreamMessage[] = [];
  private readonly control = new AbortController();
  private fault: unknown;
  private wake: () => void = () => {};

  private constructor(
    private readonly client: VwsClient,
    private readonly since: number,
  ) {
    void this.listen().catch((error: unknown) => {
      this.fault = error;
      this.wake();
    });
  }

  /** Begins after the newest event. */
  static async start(client: VwsClient): Promise<Listener> {
    return new Listener(client, await headOf(client));
  }

  stop(): void {
    this.control.abort();
  }

  /** Compares the received events with the list. Errors: DemoFault if one is missing, repeated, or out of order. */
  async finish(report: Report): Promise<void> {
    const head = await headOf(this.client);
    await this.until(head);
    this.stop();
    const wanted = await this.listed(head);
    const received = this.received.filter(({ seq }) => seq <= head);
    report.expect('events received', received.length, wanted.length);
    for (const [i, row] of wanted.entries()) {
      const message = received[i] as StreamMessage;
      const at = `event ${row.seq} of the stream`;
      report.expect(`${at}: seq`, message.seq, row.seq);
      report.expect(`${at}: type`, message.type, row.event_type);
      report.expect(`${at}: id`, message.type === 'gap' ? 'a gap' : message.data.event_id, row.event_id);
    }
    const types = new Set(received.map(({ type }) => type)).size;
    report.say(`${received.length} events of ${types} types came over the stream, each once and in order`);
  }

  private async listen(): Promise<void> {
    const openSocket = (url: string): SocketLike => new WebSocket(url) as unknown as SocketLike;
    const { signal } = this.control;
    const { baseUrl } = this.client;
    for await (const message of followEvents({
      baseUrl,
      since: this.since,
      openSocket,
      signal,
      retries: 5,
    })) {
      this.received.push(message);
      this.wake();
    }
  }

  /** Resolves once the stream has reached a seq. */
  private async until(seq: number): Promise<void> {
    let late = false;
    const cancel = systemClock.setTimer(() => {
      late = true;
      this.wake();
    }, ARRIVAL_MS);
    try {
      while ((this.received.at(-1)?.seq ?? this.since) < seq) {
        if (this.fault) throw this.fault;
        if (late)
          throw new DemoFault(`event ${seq} has not arrived over the stream in ${ARRIVAL_MS / 1000} s`);
        await new Promise<void>((resolve) => {
          this.wake = resolve;
        });
      }
    } finally {
      cancel();
    }
  }

  /** The node's list of events after the start up to `head`, oldest first. */
  private async listed(head: number): Promise<EventRow[]> {
    const rows = new Map<number, EventRow>();
    // Newer events shift the pages, so a row may be seen twice but never missed.
    for (let page = 1; ; page++) {
      const part = await this.client.recentEvents({ page, per_page: PAGE_SIZE });
      for (const row of part) if (row.seq > this.since && row.seq <= head) rows.set(row.seq, row);
      const oldest = part.at(-1);
      if (!oldest || oldest.seq <= this.since + 1) break;
    }
    return [...rows.values()].sort((a, b) => a.seq - b.seq);
  }
}

async function headOf(client: VwsClient): Promise<number> {
  return (await client.recentEvents({ limit: 1 }))[0]?.seq ?? 0;
}
