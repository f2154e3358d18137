// Who earned and lost what: each operator's worth compared with its start, and the parts of the change.
// Keeps: the parts add up to the change of worth; fees and rewards are the remainder after all other parts.

import * as abi from '../../assembly/abi.ts';
import { toHex } from '../../host/wire/bytes.ts';
import type { Judge } from './cast.ts';
import type { Economy } from './economy.ts';

/** Micro-units. */
export interface Account {
  judge: Judge;
  /** Balance, stake and escrow at the start. */
  start: number;
  slashed: number;
  replayPay: number;
  bounties: number;
  slashes: number;
  /** Status as words, at the end. */
  status: string;
  worth: number;
}

const STATUS: Record<number, string> = {
  [abi.VALIDATOR_PROBATION]: 'probation',
  [abi.VALIDATOR_ACTIVE]: 'active',
  [abi.VALIDATOR_SUSPENDED]: 'suspended',
  [abi.VALIDATOR_EXCLUDED]: 'excluded',
};

export interface Tally {
  events: Map<string, number>;
  completed: number;
  cancelled: number;
  badCompleted: number;
  volume: number;
}

export class Books {
  readonly accounts = new Map<Judge, Account>();
  readonly tally: Tally = { events: new Map(), completed: 0, cancelled: 0, badCompleted: 0, volume: 0 };
  /** Worth of each kind of judge at each sample, summed, relative to the start. */
  readonly samples: { day: number; gains: Map<string, number> }[] = [];
  readonly #economy: Economy;

  constructor(economy: Economy) {
    this.#economy = economy;
    economy.listen((outcome) => {
      if (outcome.kind === 'task') this.#countTask(outcome.image, outcome.isFinal);
      if (outcome.kind !== 'event') return;
      const { events } = this.tally;
      events.set(outcome.type, (events.get(outcome.type) ?? 0) + 1);
      if (outcome.type === 'slash') {
        const account = this.#of(economy.judgeOfAgent.get(outcome.agent));
        if (account) {
          account.slashed += outcome.amount;
          account.slashes++;
        }
      } else if (outcome.type === 'replay_closed') {
        const account = this.#of(economy.judgeOf.get(outcome.executor));
        if (account) account.replayPay += outcome.paid;
      } else if (outcome.type === 'challenge_resolved') {
        const account = this.#of(economy.judgeOfAgent.get(outcome.challenger));
        if (account) account.bounties += outcome.bounty;
      }
    });
  }

  readonly #seen = new Set<string>();
  #countTask(image: { id: Uint8Array; status: number; budget: number }, isFinal: boolean): void {
    const id = toHex(image.id);
    const isEnd = image.status === abi.TASK_COMPLETED || image.status === abi.TASK_CANCELLED;
    if (isEnd && !this.#seen.has(id)) {
      this.#seen.add(id);
      if (image.status === abi.TASK_CANCELLED) this.tally.cancelled++;
      else {
        this.tally.completed++;
        this.tally.volume += image.budget;
        if (this.#economy.workOf(image.id)?.isGood === false) this.tally.badCompleted++;
      }
    }
    if (isFinal) this.#seen.delete(id);
  }

  #worth(judge: Judge): number | undefined {
    const index = this.#economy.agentOf.get(judge);
    if (index === undefined) return undefined;
    const { balance, staked, reserved } = this.#economy.world.state.agent(index)!;
    return balance + staked + reserved;
  }

  // A judge is recorded with its worth when first seen: its grant, or its bond and funds.
  #of(judge: Judge | undefined): Account | undefined {
    if (!judge) return undefined;
    const known = this.accounts.get(judge);
    if (known) return known;
    const start = this.#worth(judge);
    if (start === undefined) return undefined;
    const account = {
      judge,
      start,
      slashed: 0,
      replayPay: 0,
      bounties: 0,
      slashes: 0,
      status: '',
      worth: start,
    };
    this.accounts.set(judge, account);
    return account;
  }

  /** Records everyone's current worth and status. */
  sample(day: number): void {
    const gains = new Map<string, number>();
    for (const judge of this.#economy.judges) {
      const account = this.#of(judge);
      if (!account) continue;
      account.worth = this.#worth(judge)!;
      const validator = this.#economy.world.state.validator(this.#economy.validatorOf.get(judge)!);
      account.status = STATUS[validator?.status ?? 0] ?? '-';
      const { name } = judge.character;
      gains.set(name, (gains.get(name) ?? 0) + account.worth - account.start);
    }
    this.samples.push({ day, gains });
  }
}
