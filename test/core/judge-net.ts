// A small network whose seats may announce judges, for tests of disputes.

import * as abi from '../../assembly/abi.ts';
import type { Command } from '../model/command.ts';
import { params, type Seat, TOKEN, type Told, type Vote } from './fixture.ts';
import { TaskNet } from './task-net.ts';

export const DISPUTE_SECS = 500;
export const LARGE = 100n * TOKEN;
export const SMALL = 9n * TOKEN;
export const RULES = { [abi.PARAM_DISPUTE_DEADLINE_SECS]: DISPUTE_SECS, [abi.PARAM_MIN_PARTICIPANTS]: 3 };

export class JudgeNet extends TaskNet {
  constructor(seats: number | Seat[], judges: readonly number[], rules: Record<number, number> = {}) {
    super(seats, { params: params({ ...RULES, ...rules }) });
    this.must(this.cmd(abi.OP_FAUCET, 'poster'), this.cmd(abi.OP_FAUCET, 'worker'));
    this.must(...judges.map((seat) => this.announce(seat, true)));
  }

  announce(seat: number, verdict: boolean, fields: Partial<Command> = {}): Command {
    return this.cmd(abi.OP_VALIDATOR_JUDGE, `op${seat}`, { verdict, ...fields });
  }

  /** A contested dispute about a task of this budget. */
  open(budget: bigint, fields: Partial<Command> = {}): { task: Command; dispute: Command } {
    const task = this.post(budget, fields);
    this.must(task);
    this.must(this.claim('worker', task), this.submit('worker', task));
    return { task, dispute: this.contested(task) };
  }

  /** Seats that were drawn. */
  drawn(dispute: Command): number[] {
    const found = this.core.query(abi.QUERY_ITEM_FIND, Buffer.from(dispute.txid, 'hex'))!;
    const item = this.core.queryIndex(abi.QUERY_ITEM, Number(found.getBigUint64(0, true)))!;
    const count = item.getUint32(abi.ITEM_ASSIGNED_COUNT, true);
    return Array.from({ length: count }, (_, i) => item.getUint32(abi.ITEM_ASSIGNED + 4 * i, true));
  }

  /** Seats commit and reveal their votes, one after the other; those of others are waited for. */
  votes(dispute: Command, seats: readonly number[], voteOf: (position: number) => Vote): Told {
    return this.decide(
      dispute,
      seats.map((seat, i) => ({ by: `op${seat}`, ...voteOf(i) })),
    );
  }

  /** Votes for the worker's share in tenths. */
  shares(dispute: Command, seats: readonly number[], shares: readonly number[]): Told {
    return this.votes(dispute, seats, (i) => ({ verdict: shares[i]! > 0, share: shares[i]! }));
  }

  isJudge(seat: number): boolean {
    const index = this.core.queryIndex(abi.QUERY_VALIDATOR, seat)!;
    return index.getUint32(abi.VALIDATOR_IS_JUDGE, true) === 1;
  }

  pastDeadline(): void {
    this.run([], DISPUTE_SECS);
  }
}

export const all = (count: number): number[] => Array.from({ length: count }, (_, i) => i);
