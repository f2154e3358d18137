// Turns what the verifier computes into batches of an export.
// Keeps: nothing is taken from the node but what the verifier has computed from signed vertices; the postings of each cause
// sum to zero, and what they leave on each account is what the core says.

import type { Replica } from '../audit/replica.ts';
import type { ReadyBatch } from '../execution/executor.ts';
import type { Posting } from '../execution/postings.ts';
import type { EventDoc } from '../store/documents.ts';
import { rowKey } from '../store/prefixes.ts';
import { readJson } from '../store/write-set.ts';
import { toHex } from '../wire/bytes.ts';
import type { Genesis } from '../wire/genesis.ts';
import { type ExportBatch, type ExportedPosting, ExportFault, type Opening, type Place } from './batch.ts';
import { ChangedDocuments } from './changed-documents.ts';
import { accountName, allHoldings, holdingOf } from './holdings.ts';

const EVENT_PREFIX = rowKey.event(0)[0]!;

export class Recorder {
  readonly #changed: ChangedDocuments;

  constructor(
    private readonly replica: Replica,
    private readonly genesis: Genesis,
  ) {
    this.#changed = new ChangedDocuments(replica, genesis);
  }

  /** The state as it is, for an empty database. */
  async opening(): Promise<Opening> {
    const { ids, state } = this.replica;
    const { order, seq, timeMs } = state.header();
    await this.#changed.all();
    return {
      genesisHash: this.genesis.hashHex,
      order,
      seq,
      timeMs,
      holdings: allHoldings(state, ids),
      documents: this.#changed.take(),
    };
  }

  /** For a database that has something. */
  resume(): Promise<void> {
    return this.#changed.resume();
  }

  /** A batch that the database has already. */
  pass({ rows }: ReadyBatch): void {
    for (const { key } of rows) this.#changed.passed(key);
  }

  /** `from`: the head before the batch. Errors: ExportFault for postings that do not add up. */
  batch(ready: ReadyBatch, from: Place): ExportBatch {
    const { head, touched, rows, checkpoints, events } = ready;
    for (const { key } of rows) this.#changed.row(key);
    for (const agent of touched) this.#changed.agent(agent);
    return {
      order: head.order,
      seq: head.seq,
      timeMs: head.timeMs,
      from,
      events: this.#events(from.seq, head.seq, events),
      settled: this.#settled(ready, from.seq),
      ...this.#books(ready.postings),
      documents: this.#changed.take(),
      checkpoints,
    };
  }

  // As stored, with what later blocks of the batch did to them.
  #events(from: number, to: number, events: readonly EventDoc[]): EventDoc[] {
    if (events.length !== to - from)
      throw new ExportFault('gap', `${events.length} events lead from seq ${from} to seq ${to}`);
    return events.map(({ seq }) => readJson<EventDoc>(this.replica.rows.get(rowKey.event(seq)))!);
  }

  #settled({ rows }: ReadyBatch, from: number): EventDoc[] {
    const docs = [...rows]
      .filter(({ key }) => key[0] === EVENT_PREFIX)
      .map(({ key }) => readJson<EventDoc>(this.replica.rows.get(key)))
      .filter((doc) => doc !== undefined);
    return docs.filter(({ seq }) => seq <= from);
  }

  #books(postings: readonly Posting[]): Pick<ExportBatch, 'postings' | 'holdings'> {
    const { ids, state } = this.replica;
    const holdings = new Map<string, number>();
    const sums = new Map<string, number>();
    const counts = new Map<number, number>();
    const written = postings.map(({ seq, order, cause, kind, account, amount }): ExportedPosting => {
      const name = accountName(ids, kind, account);
      if (!holdings.has(name)) holdings.set(name, holdingOf(state, kind, account));
      const number = counts.get(order) ?? 0;
      counts.set(order, number + 1);
      const id = cause && toHex(cause);
      const group = `${order}/${id}`;
      sums.set(group, (sums.get(group) ?? 0) + amount);
      return { seq, order, number, cause: id, account: name, amount };
    });
    const off = [...sums].find(([, sum]) => sum !== 0);
    if (off) throw new ExportFault('differs', `the postings of ${off[0]} sum to ${off[1]}`);
    return { postings: written, holdings: [...holdings] };
  }
}
