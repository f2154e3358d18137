// One agent that writes and reads at a stated rate, and measures how long each answer took from the moment at which it was
// due to be sent: a node that answers late does not get fewer requests.

import { Agent, request } from 'node:http';
import { type SignedRequest, signRequest } from '../../host/client/signed-request.ts';
import { systemClock } from '../../host/world/system/clock.ts';
import { randomBytes } from '../../host/world/system/random.ts';
import { Latencies } from '../load/latencies.ts';
import { sleep } from '../load/node-process.ts';
import { newSigner } from '../load/signed-writes.ts';

/** In a network of its own. */
const ADDRESS = '127.9.9.9';
const STEP_MS = 5;

export interface Measured {
  write: Latencies;
  read: Latencies;
  /** Answers other than 2xx, by status; 0: none. */
  failed: Map<number, number>;
}

export class HonestAgent {
  readonly #signer = newSigner();
  readonly #agent = new Agent({ keepAlive: true, localAddress: ADDRESS });

  constructor(private readonly port: number) {}

  async register(): Promise<void> {
    const status = await this.#send(await this.#sign('/v1/agents', {}));
    if (status !== 201) throw new Error(`the honest agent was not registered: ${status}`);
  }

  /** Fills the log: each write is `bytes` long. */
  async fill(count: number, bytes: number): Promise<void> {
    for (let i = 0; i < count; i++) {
      const ignored = Buffer.from(randomBytes(Math.floor((bytes * 3) / 4))).toString('base64');
      await this.#send(await this.#sign('/v1/registry', { name: 'n', category: 'c', ignored }));
    }
  }

  async run(seconds: number, writesPerSecond: number, readsPerSecond: number): Promise<Measured> {
    const measured: Measured = { write: new Latencies(), read: new Latencies(), failed: new Map() };
    const signed = await Promise.all(
      Array.from({ length: seconds * writesPerSecond }, () =>
        this.#sign('/v1/registry', { name: 'n', category: 'c' }),
      ),
    );
    const reads = Array.from({ length: seconds * readsPerSecond }, () => ({
      method: 'GET',
      path: `/v1/agents/${this.#signer.publicKeyHex}`,
    }));
    await Promise.all([
      this.#atRate(signed, writesPerSecond, measured.write, measured),
      this.#atRate(reads, readsPerSecond, measured.read, measured),
    ]);
    return measured;
  }

  async #atRate(
    requests: readonly Sent[],
    perSecond: number,
    latencies: Latencies,
    measured: Measured,
  ): Promise<void> {
    const startMs = systemClock.monotonicMs();
    const answers: Promise<void>[] = [];
    for (const [i, one] of requests.entries()) {
      const dueMs = startMs + (i * 1000) / perSecond;
      while (systemClock.monotonicMs() < dueMs)
        await sleep(Math.min(STEP_MS, dueMs - systemClock.monotonicMs()));
      const answered = this.#send(one).then((status) => {
        latencies.record(systemClock.monotonicMs() - dueMs);
        if (status < 200 || status > 299) measured.failed.set(status, (measured.failed.get(status) ?? 0) + 1);
      });
      answers.push(answered);
    }
    await Promise.all(answers);
  }

  #sign(path: string, body: Record<string, unknown>): Promise<SignedRequest> {
    const nowSecs = Math.floor(systemClock.nowMs() / 1000);
    const nonce = randomBytes(16);
    return signRequest({
      signer: this.#signer,
      chainId: 'vws-testnet-1',
      method: 'POST',
      path,
      body,
      nowSecs,
      nonce,
    });
  }

  #send({ method, path, headers, body }: Sent): Promise<number> {
    return new Promise((resolve) => {
      const { port } = this;
      const length = body === undefined ? {} : { 'Content-Length': String(Buffer.byteLength(body)) };
      const sent = request({
        host: '127.0.0.1',
        port,
        method,
        path,
        agent: this.#agent,
        headers: { ...headers, ...length },
      });
      sent.on('response', (answer) => {
        answer.resume();
        answer.on('end', () => resolve(answer.statusCode ?? 0));
      });
      sent.on('error', () => resolve(0));
      sent.end(body);
    });
  }
}

interface Sent {
  method: string;
  path: string;
  headers?: Record<string, string>;
  body?: string;
}
