// A writer of the soak test: one agent that writes through any running node and records the outcome of each write.
// Keeps: a write is acknowledged, or unknown until a repetition is answered; what stays unknown is looked up at the
// end. Only the agent itself moves its money, and its transfers expire, so its executed writes determine its books.

import type { Signer } from '../../host/client/signer.ts';
import { chainIdOf } from '../../host/wire/chain-id.ts';
import { systemClock } from '../../host/world/system/clock.ts';
import { Connection, ConnectionLost } from '../load/connection.ts';
import { sleep } from '../load/node-process.ts';
import type { SeededRandom } from '../load/seeded-random.ts';
import { newSigner, type SignedWrite, signedWrite } from '../load/signed-writes.ts';

const CHAIN = chainIdOf(true);
const SOAK_STAKE_MICRO = 10_000_000_000;
const MAX_PAYMENT_MICRO = 1000;
/** A signed request lives for 60 s and may be repeated until then. */
const REPEATED_MS = 50_000;
const AGAIN_MS = 300;

interface SoakRow extends SignedWrite {
  kind: 'join' | 'stake' | 'transfer';
  amount: number;
  sentMs: number;
}

interface SoakWriterOptions {
  random: SeededRandom;
  /** The port of a running node, another one than the last if possible. */
  pickPort(last: number | undefined): number;
  /** Time between two writes, ms. */
  paceMs: number;
  /** hex64 keys of the other writers' agents. */
  payees: readonly string[];
}

type Verdict = 'executed' | 'unknown' | 'fault';

export class SoakWriter {
  readonly signer: Signer = newSigner();
  readonly acknowledged: string[] = [];
  /** Writes whose outcome is unknown. */
  readonly open: SoakRow[] = [];
  readonly faults: string[] = [];
  /** Micro-units of executed writes. */
  readonly books = { granted: 0, staked: 0 };
  /** Answers with 503. */
  stalls = 0;
  #isStopped = false;

  async join(port: number): Promise<void> {
    const connection = await Connection.open(port);
    const body = { initial_stake: SOAK_STAKE_MICRO };
    const row = await this.#row('join', '/v1/agents', body, SOAK_STAKE_MICRO);
    const { status, body: answer } = await connection.send(row.bytes);
    connection.close();
    if (status !== 201) throw new Error(`an agent could not register: ${status} ${answer}`);
    const { onboarding_allocation } = JSON.parse(answer.toString()) as { onboarding_allocation: number };
    this.books.granted = onboarding_allocation;
    this.executed(row);
  }

  stop(): void {
    this.#isStopped = true;
  }

  /** Writes until stopped. */
  async run(o: SoakWriterOptions): Promise<void> {
    let port: number | undefined;
    while (!this.#isStopped) {
      port = o.pickPort(port);
      try {
        const connection = await Connection.open(port);
        try {
          while (!this.#isStopped && (await this.#write(connection, o))) await sleep(o.paceMs);
        } finally {
          connection.close();
        }
      } catch (error) {
        if (!(error instanceof ConnectionLost)) throw error;
      }
      if (!this.#isStopped) await sleep(AGAIN_MS);
    }
  }

  /** Records a write that is known to be executed. */
  executed({ kind, txid, amount }: SoakRow): void {
    this.acknowledged.push(txid);
    if (kind !== 'transfer') this.books.staked += amount;
  }

  /** False: try another node. */
  async #write(connection: Connection, o: SoakWriterOptions): Promise<boolean> {
    const due = this.open.findIndex(({ sentMs }) => systemClock.monotonicMs() - sentMs < REPEATED_MS);
    const row = due < 0 ? await this.#next(o) : this.open.splice(due, 1)[0]!;
    let verdict: Verdict = 'unknown';
    try {
      verdict = this.#judge(row, await connection.send(row.bytes), due >= 0);
    } finally {
      if (verdict === 'unknown') this.open.push(row);
    }
    if (verdict === 'executed') this.executed(row);
    return verdict === 'executed';
  }

  #judge(row: SoakRow, { status, body }: { status: number; body: Buffer }, isRepeated: boolean): Verdict {
    if (status === 200 || status === 201) return 'executed';
    if (status === 503) {
      this.stalls += 1;
      return 'unknown';
    }
    const answer = JSON.parse(body.toString()) as { code?: string; details?: { executed?: boolean } };
    if (isRepeated && answer.code === 'DUPLICATE_TX')
      return answer.details?.executed ? 'executed' : 'unknown';
    this.faults.push(`${row.kind} ${row.txid}: ${status} ${body}`);
    return 'fault';
  }

  async #row(
    kind: SoakRow['kind'],
    path: string,
    body: Record<string, unknown>,
    amount: number,
  ): Promise<SoakRow> {
    const write = await signedWrite(this.signer, CHAIN, path, body);
    return { ...write, kind, amount, sentMs: systemClock.monotonicMs() };
  }

  #next({ random, payees }: SoakWriterOptions): Promise<SoakRow> {
    if (random.below(3) === 0) return this.#row('stake', '/v1/stake', { amount: 1 }, 1);
    const amount = random.between(1, MAX_PAYMENT_MICRO);
    const others = payees.filter((key) => key !== this.signer.publicKeyHex);
    return this.#row('transfer', '/v1/transfer', { to_agent: random.pick(others), amount }, amount);
  }
}
