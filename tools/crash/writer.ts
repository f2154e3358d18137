// A writer of the crash test: one agent with one connection that sends signed writes without pauses and records the
// outcome of each.
// Keeps: every write is acknowledged, unknown (the connection broke first) or a fault; its books are exact, because
// nobody else can move its money: nothing is judged, so sent amounts stay reserved.

import type { Signer } from '../../host/client/signer.ts';
import { Connection, ConnectionLost } from '../load/connection.ts';
import type { SeededRandom } from '../load/seeded-random.ts';
import { newSigner, type SignedWrite, signedWrite } from '../load/signed-writes.ts';

const TOKEN = 1_000_000;
const INITIAL_STAKE_MICRO = 10_000 * TOKEN;
const MAX_PAYMENT_MICRO = 1000;

export type Kind = 'join' | 'stake' | 'transfer' | 'register';

export interface Row extends SignedWrite {
  kind: Kind;
  /** Micro-units staked or sent. */
  amount: number;
  /** hex64 key of the agent that a registration creates. */
  agent: string;
  /** executed: known from the answer to a repetition. */
  state: 'sent' | 'acknowledged' | 'unknown' | 'executed';
}

interface Body {
  code?: string;
  details?: { executed?: boolean; status?: number };
}

/** The outcome of repeating a write that may have been executed; undefined for any other answer. */
export function resentOutcome(row: Row, status: number, body: Buffer): 'now' | 'before' | undefined {
  if (status === 200 || status === 201) return 'now';
  const { code, details } = JSON.parse(body.toString()) as Body;
  if (status !== 409) return undefined;
  const isRegistration = row.kind === 'join' || row.kind === 'register';
  if (isRegistration) return code === 'already_registered' ? 'before' : undefined;
  const wasDone = details?.executed === true && (details.status === 200 || details.status === 201);
  return code === 'DUPLICATE_TX' && wasDone ? 'before' : undefined;
}

export class Writer {
  readonly rows: Row[] = [];
  /** Answers that no write of this test should get. */
  readonly faults: string[] = [];
  readonly signer: Signer = newSigner();

  constructor(
    private readonly chainId: string,
    private readonly random: SeededRandom,
  ) {}

  get agent(): string {
    return this.signer.publicKeyHex;
  }

  /** Registers with an initial stake. */
  async join(port: number): Promise<void> {
    const connection = await Connection.open(port);
    const body = { initial_stake: INITIAL_STAKE_MICRO };
    await this.send(connection, await this.row('join', this.signer, '/v1/agents', body, INITIAL_STAKE_MICRO));
    connection.close();
  }

  /** Writes until the node is gone. `others`: possible payees. */
  async run(port: number, others: readonly Writer[]): Promise<void> {
    try {
      const connection = await Connection.open(port);
      for (;;) await this.send(connection, await this.next(others));
    } catch (error) {
      if (!(error instanceof ConnectionLost)) throw error;
    }
  }

  /** Sums of the writes known to be executed, in micro-units. */
  books(): { staked: number; reserved: number } {
    const sum = (kinds: readonly Kind[]): number =>
      this.rows.reduce((total, row) => total + (kinds.includes(row.kind) && isDone(row) ? row.amount : 0), 0);
    return { staked: sum(['join', 'stake']), reserved: sum(['transfer']) };
  }

  private async row(
    kind: Kind,
    signer: Signer,
    path: string,
    body: Record<string, unknown>,
    amount: number,
  ): Promise<Row> {
    const write = await signedWrite(signer, this.chainId, path, body);
    return { ...write, kind, amount, agent: signer.publicKeyHex, state: 'sent' };
  }

  private next(others: readonly Writer[]): Promise<Row> {
    const dice = this.random.below(10);
    if (dice === 0) return this.row('register', newSigner(), '/v1/agents', {}, 0);
    if (dice > 3) return this.row('stake', this.signer, '/v1/stake', { amount: 1 }, 1);
    const amount = this.random.between(1, MAX_PAYMENT_MICRO);
    const to = this.random.pick(others.filter((other) => other !== this)).agent;
    return this.row('transfer', this.signer, '/v1/transfer', { to_agent: to, amount }, amount);
  }

  private async send(connection: Connection, row: Row): Promise<void> {
    this.rows.push(row);
    try {
      const { status, body } = await connection.send(row.bytes);
      if (status === 200 || status === 201) row.state = 'acknowledged';
      else this.faults.push(`${row.kind} ${row.txid}: ${status} ${body}`);
    } catch (error) {
      row.state = 'unknown';
      throw error;
    }
  }
}

export const isDone = (row: Row): boolean => row.state === 'acknowledged' || row.state === 'executed';
