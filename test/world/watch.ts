// Watches what every honest machine writes, as somebody who sees all disks at once.
// Keeps: one order, one state: a block, an event and a checkpoint of one number are the same wherever they are written.
// What no disk holds any more, after disks were put back to older states, is no part of it: the history was cut.

import { type Head, NO_HEAD } from '../../host/ordering/head.ts';
import type { CheckpointDoc, EventDoc } from '../../host/store/documents.ts';
import { readU64, rowKey } from '../../host/store/prefixes.ts';
import { readJson } from '../../host/store/write-set.ts';
import { decodeCheckpoint, lastOrderOf } from '../../host/wire/block.ts';
import { fromHex, fromUtf8, toHex } from '../../host/wire/bytes.ts';
import type { BatchOp } from '../../host/world/store.ts';
import type { OrderedEvent } from '../../tools/histories/call.ts';
import type { Machine } from './machine.ts';

export class Disagreement extends Error {
  override name = 'Disagreement';
}

const BLOCK = 'b'.charCodeAt(0);
const EVENT = 'q'.charCodeAt(0);
const CHECKPOINT = 'k'.charCodeAt(0);

/** Where a history was cut: what came above this order was on no disk any more, and was ordered anew. */
export interface Cut {
  order: number;
  atMs: number;
}

export class Watch {
  /** Block record by number, hex. */
  readonly blocks = new Map<number, string>();
  /** Event by seq. */
  readonly events = new Map<number, OrderedEvent>();
  /** Seq of an event by its id. */
  readonly seqs = new Map<string, number>();
  /** What a checkpoint states, by height. */
  readonly statements = new Map<number, string>();
  /** Machines whose writes are not compared: seats that do not follow the protocol. */
  readonly ignored = new Set<string>();
  /** The first disagreement. */
  fault: Disagreement | undefined;
  /** Newest block of each machine. */
  readonly newest = new Map<string, number>();
  /** Where the history was cut; undefined: nowhere. */
  cut: Cut | undefined;
  /** Newest block that any disk held when disks were put back; what came after it may be ordered anew, once. */
  #kept: { block: number; atMs: number } | undefined;

  /** Disks were put back to older states. */
  restored(machines: readonly Machine[], atMs: number): void {
    const honest = machines.filter(({ name }) => !this.ignored.has(name));
    const heads = honest.map(({ name, disk }) => {
      const { block } = readJson<Head>(disk.get(rowKey.meta('head'))) ?? NO_HEAD;
      this.newest.set(name, block);
      return block;
    });
    this.#kept = { block: Math.max(...heads), atMs };
  }

  /** The history up to a block is all that is left of it. */
  #cutBehind(block: number, atMs: number): void {
    this.#kept = undefined;
    const order = lastOrderOf(fromHex(this.blocks.get(block)!)!);
    this.cut = { order, atMs };
    for (const index of [...this.blocks.keys()]) if (index > block) this.blocks.delete(index);
    for (const [seq, event] of [...this.events]) {
      if (event.order <= order) continue;
      this.events.delete(seq);
      this.seqs.delete(event.id);
    }
    for (const [height, statement] of [...this.statements])
      if (decodeCheckpoint(fromHex(statement)!)!.order > order) this.statements.delete(height);
  }

  written(machine: Machine, ops: readonly BatchOp[]): void {
    if (this.ignored.has(machine.name)) return;
    // Blocks first: they tell whether what follows belongs to a history that was cut.
    for (const kind of [BLOCK, EVENT, CHECKPOINT])
      for (const { key, value } of ops) {
        if (value === undefined || key[0] !== kind) continue;
        if (kind === BLOCK) this.#block(machine, readU64(key, 1), toHex(value));
        else if (kind === EVENT) this.#event(machine, readU64(key, 1), value);
        else this.#checkpoint(machine, readU64(key, 1), value);
      }
  }

  #block(machine: Machine, index: number, record: string): void {
    const known = this.blocks.get(index);
    const kept = this.#kept;
    if (known !== undefined && known !== record && kept && index > kept.block)
      this.#cutBehind(index - 1, kept.atMs);
    this.#same(machine, `block ${index}`, this.blocks, index, record);
    this.newest.set(machine.name, Math.max(index, this.newest.get(machine.name) ?? 0));
  }

  #event(machine: Machine, seq: number, value: Uint8Array): void {
    const doc = JSON.parse(fromUtf8(value)) as EventDoc;
    const { event_id: id, order, event_type: type, agent_id: agent, payload } = doc;
    const known = this.events.get(seq);
    if (known && (known.id !== id || known.order !== order)) {
      this.#disagree(machine, `event ${seq} is ${id} at ${order}, elsewhere ${known.id} at ${known.order}`);
    }
    const seqOfId = this.seqs.get(id);
    if (seqOfId !== undefined && seqOfId !== seq)
      this.#disagree(machine, `${id} is event ${seq} and event ${seqOfId}: it ran twice`);
    this.events.set(seq, { id, seq, order, type, agent, payload });
    this.seqs.set(id, seq);
  }

  #checkpoint(machine: Machine, height: number, value: Uint8Array): void {
    const { statement } = JSON.parse(fromUtf8(value)) as CheckpointDoc;
    this.#same(machine, `checkpoint ${height}`, this.statements, height, statement);
  }

  #same(machine: Machine, what: string, known: Map<number, string>, n: number, value: string): void {
    const before = known.get(n);
    if (before !== undefined && before !== value) this.#disagree(machine, `${what} is another one elsewhere`);
    known.set(n, value);
  }

  #disagree(machine: Machine, text: string): void {
    this.fault ??= new Disagreement(`${machine.name}: ${text}`);
  }
}
