// A stream of a real node as the black-box tests read it: all messages, and how it ended.

import { WebSocket } from 'ws';
import type { Json } from './agent.ts';

export interface Refusal {
  status: number;
  body: Json;
  headers: NodeJS.Dict<string | string[]>;
}

export class Stream {
  readonly messages: Json[] = [];
  code: number | undefined;
  private waiting: (() => void)[] = [];

  private constructor(readonly ws: WebSocket) {
    ws.on('message', (data) => {
      this.messages.push(JSON.parse(data.toString()));
      this.wake();
    });
    ws.on('close', (code) => {
      this.code = code;
      this.wake();
    });
    ws.on('error', () => {});
  }

  /** Resolves when it is open. `query` with its question mark. Rejects when it is refused. */
  static open(port: number, query = '', headers: Record<string, string> = {}): Promise<Stream> {
    const ws = new WebSocket(`ws://127.0.0.1:${port}/v1/ws${query}`, { headers });
    const stream = new Stream(ws);
    return new Promise((resolve, reject) => {
      ws.on('open', () => resolve(stream));
      ws.on('unexpected-response', (_request, reply) =>
        reject(new Error(`refused with ${reply.statusCode}`)),
      );
      ws.on('error', reject);
    });
  }

  /** The answer of a node that refuses the handshake. */
  static refusal(port: number, query = '', headers: Record<string, string> = {}): Promise<Refusal> {
    const ws = new WebSocket(`ws://127.0.0.1:${port}/v1/ws${query}`, { headers });
    return new Promise((resolve, reject) => {
      ws.on('open', () => {
        ws.terminate();
        reject(new Error('the handshake was accepted'));
      });
      ws.on('error', () => {});
      ws.on('unexpected-response', (request, reply) => {
        let text = '';
        reply.on('data', (part) => {
          text += part;
        });
        reply.on('end', () => {
          request.destroy();
          resolve({ status: reply.statusCode!, body: JSON.parse(text), headers: reply.headers });
        });
      });
    });
  }

  /** Waits until it is as wanted. Errors: not within `limitMs`. */
  async until(isDone: (stream: Stream) => boolean, limitMs = 20_000): Promise<void> {
    const endMs = Date.now() + limitMs;
    while (!isDone(this)) {
      if (Date.now() > endMs) {
        throw new Error(`not so in ${limitMs} ms: ${this.messages.length} messages, code ${this.code}`);
      }
      await new Promise<void>((resolve) => {
        this.waiting.push(resolve);
        setTimeout(resolve, 100);
      });
    }
  }

  /** The message of an event. */
  async event(eventId: string): Promise<Json> {
    const find = () => this.messages.find((m) => m.data.event_id === eventId);
    await this.until(() => find() !== undefined);
    return find();
  }

  get seqs(): number[] {
    return this.messages.map((m) => m.seq);
  }

  close(): void {
    this.ws.terminate();
  }

  private wake(): void {
    const waiting = this.waiting;
    this.waiting = [];
    for (const run of waiting) run();
  }
}
