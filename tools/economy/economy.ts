// The whole cast on one chain, and the simulation's own records: indexes of agents and validators, the true quality of
// each piece of work, and who gave which verdict.

import * as abi from '../../assembly/abi.ts';
import { register } from '../../host/core/commands.ts';
import type { Outcome } from '../../host/core/outcomes.ts';
import { toHex } from '../../host/wire/bytes.ts';
import { SeededRandom } from '../load/seeded-random.ts';
import { castJudges, castTraders, type Judge, type Trader } from './cast.ts';
import { DAY, LAUNCH, World } from './world.ts';

/** A piece of work: what only the simulation knows about it, and its outcome. */
export interface Work {
  /** Hex of the task id. */
  id: string;
  task: Uint8Array;
  poster: Trader;
  worker: Trader;
  isGood: boolean;
  /** Verdicts by validator index. */
  votes: Map<number, boolean>;
  isCompleted: boolean;
}

/** 1,000 tokens: what backs eleven claims of a worker. */
const TRADERS_STAKE = 1_000_000_000;

export class Economy {
  readonly random: SeededRandom;
  readonly world: World;
  readonly judges: Judge[];
  readonly traders: Trader[];
  readonly works = new Map<string, Work>();
  /** By validator index, and by agent index of the operator. */
  readonly judgeOf = new Map<number, Judge>();
  readonly judgeOfAgent = new Map<number, Judge>();
  readonly validatorOf = new Map<Judge, number>();
  readonly agentOf = new Map<Judge, number>();
  readonly #listeners: ((outcome: Outcome) => void)[] = [];

  constructor(module: WebAssembly.Module, seed: number, agents: number) {
    this.random = new SeededRandom(seed);
    this.judges = castJudges(this.random);
    this.traders = castTraders(this.random, agents);
    this.world = new World(module, this.judges);
    this.world.onOutcome = (outcome) => {
      for (const listener of this.#listeners) listener(outcome);
    };
    for (const [i, judge] of this.judges.filter((j) => j.isSeat).entries()) this.enter(judge, i, i);
    for (const judge of this.judges.filter((j) => !j.isSeat)) this.#register(judge.key, 0, 0);
    for (const trader of this.traders) this.#register(trader.key, this.random.below(20 * DAY), TRADERS_STAKE);
  }

  /** Records the indexes of a judge that has become a validator. */
  enter(judge: Judge, validator: number, agent: number): void {
    this.judgeOf.set(validator, judge);
    this.judgeOfAgent.set(agent, judge);
    this.validatorOf.set(judge, validator);
    this.agentOf.set(judge, agent);
  }

  listen(listener: (outcome: Outcome) => void): void {
    this.#listeners.push(listener);
  }

  chance(bp: number): boolean {
    return this.random.below(10_000) < bp;
  }

  /** Runs `act` after a random number of seconds. */
  later(minSecs: number, maxSecs: number, act: () => void): void {
    this.world.at(this.world.now + this.random.between(minSecs, maxSecs), act);
  }

  workOf(task: Uint8Array): Work | undefined {
    return this.works.get(toHex(task));
  }

  /** True if the validator has this status; an undefined index has none. */
  hasStatus(validator: number, ...statuses: number[]): boolean {
    return statuses.includes(this.world.state.validator(validator)?.status ?? abi.NO_STATUS);
  }

  #register(key: Uint8Array, afterSecs: number, stake: number): void {
    this.world.at(LAUNCH + afterSecs, () => {
      this.world.send(key, (head) => register(head, key, stake, toHex(key)));
    });
  }
}
