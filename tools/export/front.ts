// Reads to a reader, the rest to a node: what a balancer does, with the order that the node has at that moment.

import { once } from 'node:events';
import {
  Agent,
  createServer,
  type IncomingMessage,
  request,
  type Server,
  type ServerResponse,
} from 'node:http';
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

interface Answer {
  status: number;
  message: IncomingMessage;
  body: Buffer;
}

const READS = new Set(['GET', 'HEAD']);
/** What a process says of itself: whoever asks here means the node, and a reader has metrics of its own. */
const OF_A_PROCESS = new Set(['/metrics', '/health/live', '/health/ready']);
const BEHIND_TRIES = 40;
const TRY_MS = 50;

async function bodyOf(stream: IncomingMessage): Promise<Buffer> {
  const parts: Buffer[] = [];
  for await (const part of stream) parts.push(part as Buffer);
  return Buffer.concat(parts);
}

export class Front {
  /** Answers of the reader, and of the node, by method and path without query. */
  readonly counts = { reader: 0, node: 0 };
  readonly #agent = new Agent({ keepAlive: true });
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();

  private constructor(
    private readonly node: number,
    private readonly reader: number,
  ) {
    this.#server = createServer((req, res) => {
      this.#answer(req, res).catch(() => res.destroy());
    });
    this.#server.on('upgrade', (req: IncomingMessage, socket: Socket, head: Buffer) =>
      this.#upgrade(req, socket, head),
    );
  }

  static async start(port: number, node: number, reader: number): Promise<Front> {
    const front = new Front(node, reader);
    front.#server.listen(port, '127.0.0.1');
    await once(front.#server, 'listening');
    return front;
  }

  async #ask(
    port: number,
    req: IncomingMessage,
    body: Buffer,
    more: Record<string, string> = {},
  ): Promise<Answer> {
    const headers = [...req.rawHeaders, ...Object.entries(more).flat()];
    const sent = request({
      host: '127.0.0.1',
      port,
      method: req.method,
      path: req.url,
      headers: headers as never,
      setHost: false,
      agent: this.#agent,
    });
    sent.end(body);
    const [message] = (await once(sent, 'response')) as [IncomingMessage];
    return { status: message.statusCode!, message, body: await bodyOf(message) };
  }

  /** Of the node, now. */
  async #order(): Promise<string> {
    const answer = await fetch(`http://127.0.0.1:${this.node}/v1/economics`);
    await answer.arrayBuffer();
    return answer.headers.get('x-service-order') ?? '0';
  }

  async #read(req: IncomingMessage, body: Buffer): Promise<Answer> {
    const more: Record<string, string> =
      req.headers['x-service-min-order'] === undefined ? { 'X-Service-Min-Order': await this.#order() } : {};
    for (let tries = 1; ; tries++) {
      const answer = await this.#ask(this.reader, req, body, more);
      if (answer.status !== 503 || tries === BEHIND_TRIES) return answer;
      await sleep(TRY_MS);
    }
  }

  async #answer(req: IncomingMessage, res: ServerResponse): Promise<void> {
    const body = await bodyOf(req);
    const isForReader = READS.has(req.method!) && !OF_A_PROCESS.has(req.url!.split('?')[0]!);
    let answer = isForReader ? await this.#read(req, body) : undefined;
    if (answer?.status === 501) answer = undefined;
    this.counts[answer ? 'reader' : 'node'] += 1;
    answer ??= await this.#ask(this.node, req, body);
    res.writeHead(answer.status, answer.message.rawHeaders as never);
    res.end(answer.body);
  }

  /** Streams are the reader's. */
  #upgrade(req: IncomingMessage, client: Socket, head: Buffer): void {
    const server = connect(this.reader, '127.0.0.1');
    const lines = [`${req.method} ${req.url} HTTP/1.1`];
    for (let i = 0; i < req.rawHeaders.length; i += 2)
      lines.push(`${req.rawHeaders[i]}: ${req.rawHeaders[i + 1]}`);
    server.write(`${lines.join('\r\n')}\r\n\r\n`);
    server.write(head);
    this.counts.reader += 1;
    for (const [from, to] of [
      [client, server],
      [server, client],
    ] as const) {
      this.#sockets.add(from);
      from.on('error', () => to.destroy());
      from.on('close', () => {
        this.#sockets.delete(from);
        to.destroy();
      });
      from.pipe(to);
    }
  }

  async close(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    this.#agent.destroy();
    this.#server.closeAllConnections();
    this.#server.close();
  }
}
