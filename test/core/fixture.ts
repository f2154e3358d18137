// A small network for hand-written tests: seats, agents by name, blocks of commands.
// Keeps: one block, one vertex a call; TxIDs are counted, so every command is new unless said otherwise.

import { createHash } from 'node:crypto';
import * as abi from '../../assembly/abi.ts';
import { type Command, command, toRecord } from '../model/command.ts';
import { commitmentOf } from '../model/voting.ts';
import {
  Core,
  type CoreConfig,
  DEFAULT_PARAMS,
  type EventOutcome,
  SMALL,
  type TxOutcome,
  unhex,
} from './driver.ts';
import * as records from './records.ts';

export const TOKEN = 1_000_000n;
export const LAUNCH = 1_800_000_000;
export const hash = (text: string): string => createHash('sha256').update(text).digest('hex');
export const key = (name: string): string => hash(`key ${name}`);

export interface Seat {
  stake?: bigint;
  status?: number;
  baselineBp?: number;
}

export interface Told {
  txs: TxOutcome[];
  events: EventOutcome[];
  touched: number[];
}

export function config(over: Partial<CoreConfig> = {}): CoreConfig {
  const base = { testnet: true, chainId: 'vws-testnet-1', launchSecs: LAUNCH };
  return { ...base, params: DEFAULT_PARAMS, capacities: SMALL, ...over };
}

export function params(over: Record<number, number>): number[] {
  return DEFAULT_PARAMS.map((value, i) => over[i] ?? value);
}

export function seatRecord(seat: number, init: Seat = {}): Uint8Array {
  return records.genesisSeat({
    seat,
    status: init.status ?? abi.VALIDATOR_ACTIVE,
    operator: unhex(key(`op${seat}`)),
    stake: init.stake ?? 25_000n * TOKEN,
    baselineBp: init.baselineBp ?? 5000,
    id: `v${seat}`,
    categories: [],
  });
}

/** What a judge says about a dispute; `share`: of an approval, in tenths, default all. */
export interface Vote {
  verdict: boolean;
  ground?: number;
  share?: number;
}

const sealed = ({ verdict, ground = abi.GROUND_NONE, share = 0 }: Vote) => ({
  verdict,
  ground,
  share,
  salt: hash(`salt ${verdict} ${ground} ${share}`),
});

export class Net {
  readonly core: Core;
  nowMs = LAUNCH * 1000;
  blocks = 0;
  order = 0;
  #count = 0;

  constructor(seats: Seat[] = [{}], over: Partial<CoreConfig> = {}) {
    this.core = new Core(config(over));
    this.core.apply(...seats.map((seat, i) => seatRecord(i, seat)), records.genesisEnd());
  }

  /** A command of a named agent with a fresh TxID. */
  cmd(opcode: number, name: string, fields: Partial<Command> = {}): Command {
    return command(opcode, { txid: hash(`tx ${this.#count++}`), actor: key(name), ...fields });
  }

  register(name: string, stake = 0n): Command {
    return this.cmd(abi.OP_REGISTER, name, { publicKey: key(name), id: key(name), amount: stake });
  }

  transfer(from: string, to: string, amount: bigint): Command {
    return this.cmd(abi.OP_TRANSFER, from, { other: key(to), amount });
  }

  generation(name: string, amount: bigint, beneficiary = name): Command {
    return this.cmd(abi.OP_GENERATION, name, { other: key(beneficiary), amount });
  }

  verify(name: string, target: Command, verdict: boolean, value?: bigint, ground = 0, share = 0): Command {
    return this.cmd(abi.OP_VERIFY, name, { other: target.txid, verdict, value, ground, share });
  }

  /** A vote on a dispute, before it is revealed by `reveal`. */
  commit(name: string, dispute: Command, vote: Vote): Command {
    const commitment = commitmentOf(dispute.txid, key(name), sealed(vote));
    return this.cmd(abi.OP_VOTE_COMMIT, name, { other: dispute.txid, commitment });
  }

  reveal(name: string, dispute: Command, vote: Vote): Command {
    return this.cmd(abi.OP_VERIFY, name, { other: dispute.txid, ...sealed(vote) });
  }

  /** Time until the votes on a dispute are committed, or revealed, has passed. */
  pastVotes(dispute: Command): Told {
    const found = this.core.query(abi.QUERY_ITEM_FIND, unhex(dispute.txid))!;
    const item = this.core.queryIndex(abi.QUERY_ITEM, Number(found.getBigUint64(0, true)))!;
    return this.run([], Number(item.getBigUint64(abi.ITEM_DEADLINE, true)) - Math.floor(this.nowMs / 1000));
  }

  isRevealing(dispute: Command): boolean {
    const found = this.core.query(abi.QUERY_ITEM_FIND, unhex(dispute.txid));
    if (!found) return false;
    const item = this.core.queryIndex(abi.QUERY_ITEM, Number(found.getBigUint64(0, true)))!;
    return item.getUint32(abi.ITEM_STAGE, true) === abi.VOTES_REVEALED;
  }

  /** Commits and reveals votes on a dispute, those of others being waited for; what came of the reveals. */
  decide(dispute: Command, votes: readonly (Vote & { by: string })[]): Told {
    const committed = this.run(votes.map((vote) => this.commit(vote.by, dispute, vote)));
    const bad = committed.txs.find((t) => t.code !== abi.OK);
    if (bad) throw new Error(`a commitment was refused with ${bad.code}`);
    if (!this.isRevealing(dispute)) this.pastVotes(dispute);
    return this.run(votes.map((vote) => this.reveal(vote.by, dispute, vote)));
  }

  blockRecords(commands: Command[], seat = 0): Uint8Array[] {
    this.blocks++;
    return [
      records.block(this.nowMs, this.blocks, unhex(hash(`block ${this.blocks}`))),
      records.vertex(++this.order, seat, commands.length),
      ...commands.map(toRecord),
      records.blockEnd(),
    ];
  }

  /** Applies one record as the only entry of a block, a second after the last one. */
  runRecord(record: Uint8Array): void {
    this.nowMs += 1000;
    const [block, , end] = this.blockRecords([]);
    this.core.apply(block!, records.vertex(this.order, 0, 1), record, end!);
  }

  /** Applies commands in one vertex, `gapSecs` after the last block. */
  run(commands: Command[], gapSecs = 1, seat = 0): Told {
    this.nowMs += gapSecs * 1000;
    const outcomes = this.core.apply(...this.blockRecords(commands, seat));
    return {
      txs: outcomes.filter((o): o is TxOutcome => o.kind === 'tx'),
      events: outcomes.filter((o): o is EventOutcome => o.kind === 'event'),
      touched: outcomes.flatMap((o) => (o.kind === 'touched' ? o.agents : [])),
    };
  }

  /** Codes of commands applied in one vertex. */
  codes(commands: Command[], gapSecs = 1): number[] {
    return this.run(commands, gapSecs).txs.map((t) => t.code);
  }

  /** A u64 field of an agent. */
  agent(name: string, field: number): bigint {
    return this.#view(name).getBigUint64(field, true);
  }

  /** A u32 field of an agent. */
  agent32(name: string, field: number): number {
    return this.#view(name).getUint32(field, true);
  }

  index(name: string): number {
    return Number(this.core.query(abi.QUERY_AGENT_FIND, unhex(key(name)))!.getBigUint64(0, true));
  }

  #view(name: string): DataView {
    return this.core.queryIndex(abi.QUERY_AGENT, this.index(name))!;
  }
}
