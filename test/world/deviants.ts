// Seats that do not follow the protocol: the real node with what leaves it changed, the real node twice with one key, the
// node with a wrong clock, or no node at all but somebody who has the key.

import type { Dice } from '../model/consensus/random-dag.ts';
import { Equivocator, runningEpoch } from './equivocator.ts';
import { JunkSeat } from './junk-seat.ts';
import * as lies from './lies.ts';
import type { SimNetwork } from './network.ts';
import { seatKey } from './network.ts';
import type { Filter } from './wires.ts';

/** What a seat that breaks the protocol has around it. */
export interface Stage extends lies.Liar {
  net: SimNetwork;
  name: string;
  /** Machines of seats that follow the protocol. */
  honest: readonly string[];
  /** Resolves at a moment that is bad for the others: a fault is just over. */
  moment(): Promise<void>;
}

interface Deviant {
  /** What leaves the node is changed. */
  filter?(stage: Stage): Filter;
  /** What it does beside; `false` in `hasNode`: instead. */
  act?(stage: Stage): void;
  hasNode?: false;
  /** Came later: it comes to what a seat does in earlier plans. */
  isLater?: true;
}

const DEVIANTS = {
  twin: { act: twin },
  silent: { filter: lies.silent },
  partial: { filter: lies.partial },
  late: { filter: lies.late },
  withheld: { filter: (stage: Stage) => lies.withheld(stage, () => stage.moment()) },
  lying_heads: { filter: lies.lyingHeads },
  sync_empty: { filter: lies.syncEmpty },
  sync_wrong: { filter: lies.syncWrong },
  sync_endless: { filter: lies.syncEndless },
  lying_state: { filter: lies.lyingState },
  flood: { filter: lies.flood },
  wrong_clock: { act: wrongClock },
  branches: { act: (stage: Stage) => stage.net.universe.beside(branches(stage)), hasNode: false },
  junk: { act: (stage: Stage) => stage.net.universe.beside(junk(stage)), hasNode: false },
  repeats: { filter: lies.repeats, isLater: true },
  other_states: { filter: lies.otherStates, isLater: true },
} as const satisfies Record<string, Deviant>;

/** How a seat breaks the protocol. */
export type Deviation = keyof typeof DEVIANTS;
export const DEVIATIONS = Object.keys(DEVIANTS) as Deviation[];

/** Is the seat's machine up, as those of other seats are. */
export const hasNode = (how: Deviation): boolean => (DEVIANTS[how] as Deviant).hasNode !== false;

export const isLater = (how: Deviation): boolean => (DEVIANTS[how] as Deviant).isLater === true;

/** Before the machines start. */
export function deviate(how: Deviation, stage: Stage): void {
  const { filter, act }: Deviant = DEVIANTS[how];
  if (filter) {
    const { o } = stage.net.machine(stage.name);
    const [first, then] = [o.filter, filter(stage)];
    o.filter = first ? (message, to) => first(message, to).flatMap((one) => then(one, to)) : then;
  }
  if (!hasNode(how)) stage.net.remove(stage.name);
  act?.(stage);
}

/** A second node with the same key. */
function twin({ net, seat, name, struck }: Stage): void {
  net.watch.ignored.add(`${name}t`);
  net.add({ name: `${name}t`, key: seatKey(seat) });
  struck();
}

/** Its clock is wrong, and now and then wrong in another way. */
function wrongClock({ net, name, dice, struck }: Stage): void {
  const machine = net.machine(name);
  const set = (): void => {
    machine.skewMs = dice.pick([-1, 1]) * dice.pick([500, 20_000, 3_600_000, 86_400_000]);
    struck();
    net.universe.after(dice.between(3000, 20_000), set);
  };
  net.universe.after(dice.below(15_000), set);
}

const sizes = (dice: Dice): { count: number; bytes: number } =>
  dice.pick([
    { count: 40, bytes: 20_000 },
    { count: 40, bytes: 200_000 },
    { count: 20, bytes: 1_000_000 },
  ]);

/** Large vertices for some, tiny ones with the same numbers for the others, then nothing. */
async function branches({ net, seat, dice, honest, moment, struck }: Stage): Promise<void> {
  await net.universe.pause(dice.between(3000, 20_000));
  const forger = new Equivocator(net, seat);
  const epoch = runningEpoch(net, honest);
  const { count, bytes } = sizes(dice);
  const mixed = dice.shuffle(honest);
  const some = mixed.slice(0, dice.between(1, Math.max(1, mixed.length - 1)));
  const others = mixed.filter((name) => !some.includes(name));
  const { nowMs } = net.universe;
  const [heavy, light] = [
    forger.branch(count, bytes, nowMs, epoch),
    forger.branch(count + 10, 0, nowMs, epoch),
  ];
  const [first, second] = dice.chance(50) ? [heavy, light] : [light, heavy];
  await Promise.all(some.map((name) => forger.give(name, first, epoch.number)));
  if (dice.chance(50)) await moment();
  await Promise.all(others.map((name) => forger.give(name, second, epoch.number)));
  if (others.length > 0) struck();
  await net.universe.pause(200);
  await forger.fallSilent();
}

/** Takes part like an honest seat and fills its vertices with junk; sometimes one machine alone gets them. */
async function junk({ net, seat, dice, struck }: Stage): Promise<void> {
  const forger = new JunkSeat(net, seat);
  forger.start();
  await net.universe.pause(dice.between(3000, 20_000));
  const bytes = dice.pick([1000, 100_000, 1_000_000]);
  forger.spam({ bytes, everyMs: 500, count: 60, isWithheld: dice.chance(50) });
  struck();
}
