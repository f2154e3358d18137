// Watches what every honest machine writes, as somebody who sees all disks at once.
// Keeps: one order, one state: a block, an event and a checkpoint of one number are the same wherever they are written.
// What no disk holds any more, after disks were put back to older states, is no part of it: the history was cut.
// What a joining node has received counts once it has checked it.

import { type Head, NO_HEAD } from '../../host/ordering/head.ts';
import { readPlace } from '../../host/ordering/vertex-place.ts';
import type { CheckpointDoc, EventDoc } from '../../host/store/documents.ts';
import { readU64, rowKey } from '../../host/store/prefixes.ts';
import { readJson } from '../../host/store/write-set.ts';
import { decodeCheckpoint, lastOrderOf } from '../../host/wire/block.ts';
import { equalBytes, fromHex, fromUtf8, toHex } from '../../host/wire/bytes.ts';
import type { BatchOp } from '../../host/world/store.ts';
import type { OrderedEvent } from '../../tools/histories/call.ts';
import type { Machine } from './machine.ts';

export class Disagreement extends Error {
  override name = 'Disagreement';
}

const BLOCK = 'b'.charCodeAt(0);
const EVENT = 'q'.charCodeAt(0);
const CHECKPOINT = 'k'.charCodeAt(0);
const PLACE = 'r'.charCodeAt(0);
const HEAD = rowKey.meta('head');
const JOINING = rowKey.meta('joining');

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

  /** Epoch that each machine is in. */
  readonly #epochs = new Map<string, number>();
  /** Highest round of an ordered vertex, by epoch. */
  readonly #rounds = new Map<number, number>();
  /** Nodes that have begun from a state that others gave them. */
  joins = 0;

  written(machine: Machine, ops: readonly BatchOp[]): void {
    if (this.ignored.has(machine.name) || machine.disk.get(JOINING)) return;
    const isOver = ops.some(({ key, value }) => value === undefined && equalBytes(key, JOINING));
    const isJoined = isOver && ops.some(({ key }) => equalBytes(key, HEAD));
    if (isJoined) this.joins += 1;
    const rows = isJoined ? machine.disk.rows({ gte: Uint8Array.of(0), lt: Uint8Array.of(0xff) }) : [];
    this.#compare(machine, isJoined ? rows.map(([key, value]) => ({ key, value })) : ops);
  }

  /** Rounds of all epochs that anybody has ordered vertices of. */
  get rounds(): number {
    return [...this.#rounds.values()].reduce((sum, round) => sum + round, 0);
  }

  // A batch ends with the seal, if it has one: its vertices are of the epoch before.
  #place(machine: Machine, value: Uint8Array): void {
    const { order, round } = readPlace(value);
    const epoch = this.#epochs.get(machine.name) ?? 0;
    if (order !== undefined) this.#rounds.set(epoch, Math.max(round, this.#rounds.get(epoch) ?? 0));
  }

  #compare(machine: Machine, ops: readonly BatchOp[]): void {
    for (const { key, value } of ops) if (value && key[0] === PLACE) this.#place(machine, value);
    for (const { key, value } of ops) if (value && equalBytes(key, HEAD)) this.#head(machine, value);
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
  }

  #head(machine: Machine, value: Uint8Array): void {
    const { block, epoch } = JSON.parse(fromUtf8(value)) as Head;
    this.#epochs.set(machine.name, epoch);
    this.newest.set(machine.name, Math.max(block, this.newest.get(machine.name) ?? 0));
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
