// What lying costs and yields around deliveries: workers who hand in nothing to posters who are away, posters who dispute everything,
// judges who vote for one party together.
// Keeps: every amount is the core's (judges/court.ts); chances of the parties come from the seed. What a party gains is what its
// accounts have more than before, and what it would have had to pay or work for; what it loses are bonds and fees.

import * as abi from '../../assembly/abi.ts';
import { Court, DELIVERED, type Judges, type Terms } from '../judges/court.ts';
import { SeededRandom } from '../load/seeded-random.ts';
import { TOKEN } from './attack-chain.ts';

const BP = 10_000;
const MINUTE = 60;
const HOUR = 3600;
/** Judges that announced themselves. */
const JUDGES = 20;
/** Tasks of each row. */
const TASKS = 300;

/** Of one task on average, micro-units. */
export interface Outcome {
  gained: number;
  lost: number;
}

const delivered = (budget: number): Terms => ({ budget: budget * TOKEN, submitFlags: DELIVERED });
const owned = (court: Court, name: string): number => {
  const { balance, staked, reserved } = court.chain.state.agent(court.chain.index(name))!;
  return balance + staked + reserved;
};
const sumOf = (court: Court, names: readonly string[]): number =>
  names.reduce((sum, name) => sum + owned(court, name), 0);
const average = (all: readonly Outcome[]): Outcome => ({
  gained: all.reduce((sum, { gained }) => sum + gained, 0) / all.length,
  lost: all.reduce((sum, { lost }) => sum + lost, 0) / all.length,
});

/** What became of a party, less what it was to be paid: more, or less, than it had. */
function changed(court: Court, party: readonly string[], act: () => number): Outcome {
  const before = sumOf(court, party);
  const due = act();
  const more = sumOf(court, party) - before - due;
  return { gained: Math.max(0, more), lost: Math.max(0, -more) };
}

/** Posters that look after five minutes and after twelve hours, bp; the others never do. */
export interface Looking {
  soon: number;
  late: number;
}

/** A bot that claims everything, delivers "done" and concedes when somebody looks. */
export function silentPosterBot(
  module: WebAssembly.Module,
  budget: number,
  looking: Looking,
  bondBp?: number,
): Outcome {
  const court = new Court(module, JUDGES);
  const random = new SeededRandom(1);
  const bond = bondBp === undefined ? {} : { workerBond: Math.floor((budget * TOKEN * bondBp) / BP) };
  const all = Array.from({ length: TASKS }, () => {
    const look = random.below(BP);
    return changed(court, ['worker'], () => {
      const task = court.delivered({ ...delivered(budget), ...bond });
      if (look >= looking.soon + looking.late) {
        court.chain.run([], 0, court.chain.params.review_default_secs + 1);
        return 0;
      }
      court.chain.run([], 0, look < looking.soon ? 5 * MINUTE : 12 * HOUR);
      court.dispute(task);
      court.reply(task, abi.OP_TASK_CONCEDE);
      return 0;
    });
  });
  return average(all);
}

/**
 * How judges err: each by itself, or all together, as one model behind them does. None repeats another: votes are committed
 * before the first is revealed (protocol 15.8).
 */
export type Erring = 'independent' | 'alike';

export interface Bench {
  accuracyBp: number;
  kind?: Erring;
  /** Judges, of JUDGES, that always vote for the liar. */
  cartel?: number;
}

/** Judges of one dispute after another, about work that is good, or not. */
function benchOf({ accuracyBp, kind = 'independent', cartel = 0 }: Bench, isGood: boolean) {
  const random = new SeededRandom(1);
  const said = (): boolean => (random.below(BP) < accuracyBp ? isGood : !isGood);
  return (): Judges => {
    const common = said();
    return (judge) => {
      const isBought = judge < cartel;
      const own = isBought ? !isGood : kind === 'alike' ? common : said();
      return { forWorker: own, ground: abi.GROUND_NONE };
    };
  };
}

const partyOf = (liar: string, cartel = 0): string[] => [
  liar,
  ...Array.from({ length: cartel }, (_, i) => `op${i}`),
];

/**
 * A poster that disputes everything good work is delivered for, and keeps it; of the workers so many contest, the others
 * concede. It gains what it did not pay, as the work is in its hands; judges that vote with it share gain and loss.
 */
export function alwaysDisputes(
  module: WebAssembly.Module,
  budget: number,
  contestBp: number,
  bench: Bench,
): Outcome {
  const court = new Court(module, JUDGES);
  const random = new SeededRandom(1);
  const judges = benchOf(bench, true);
  const all = Array.from({ length: TASKS }, () => {
    const isContested = random.below(BP) < contestBp;
    // The work is worth its budget: what the poster has less of it was to be paid.
    return changed(court, partyOf('poster', bench.cartel), () => {
      court.disputed(delivered(budget), isContested, judges());
      return -budget * TOKEN;
    });
  });
  return average(all);
}

/** A worker who delivers "done" and contests every dispute; so many posters never look. Judges that vote for it share. */
export function alwaysContests(
  module: WebAssembly.Module,
  budget: number,
  neverBp: number,
  bench: Bench,
): Outcome {
  const court = new Court(module, JUDGES);
  const random = new SeededRandom(1);
  const judges = benchOf(bench, false);
  const all = Array.from({ length: TASKS }, () =>
    changed(court, partyOf('worker', bench.cartel), () => {
      if (random.below(BP) >= neverBp) {
        court.disputed(delivered(budget), true, judges());
        return 0;
      }
      court.delivered(delivered(budget));
      court.chain.run([], 0, court.chain.params.review_default_secs + 1);
      return 0;
    }),
  );
  return average(all);
}
