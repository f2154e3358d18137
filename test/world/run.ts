// Runs one plan to its end and says what did not hold.

import { keyPairFromSeed } from '../../host/crypto/key-pair.ts';
import { readTotals } from '../../host/execution/recovery.ts';
import { signedHeight } from '../../host/ordering/checkpoints.ts';
import { rowKey } from '../../host/store/prefixes.ts';
import { type Comparison, compareAlong } from './along.ts';
import { headOf } from './answers.ts';
import { clientOf, registered } from './client.ts';
import { DEVIATIONS, type Deviation, deviate } from './deviants.ts';
import { FAULT_KINDS, Faults, isForGood, RECORD } from './faults.ts';
import { Load } from './load.ts';
import type { LogLine, Machine } from './machine.ts';
import { type NetworkPlan, SimNetwork, SMALL_EPOCHS } from './network.ts';
import { FORGETTING, type Plan } from './plan.ts';
import { Strangers } from './strangers.ts';

/**
 * May a seat wait for the next seal: it has forgotten, or a liar claims so; or the power failed before the vertex was stored that its
 * record names (consensus 5.12).
 */
const mayHoldBack = ({ faults, deviants, hasRecords }: Plan): boolean =>
  hasRecords === true ||
  faults.some(({ kind }) => FORGETTING.includes(kind)) ||
  deviants.some(({ how }) => how === 'lying_heads');

/** After the heal: every honest node answers a write within this time. */
const LIVENESS_MS = 240_000;
/**
 * In which no more rounds than this are ordered, unless a seat waits for a seal. Consensus 2 promises 210, for liars that hold open
 * the slots that they lead; no seat does that here, and what the seats here do has never cost a third of that.
 */
export const MAX_ROUNDS = 66;
/**
 * Who catches up asks one seat at a time, and waits 10 s for one that does not answer (protocol 12.8): meanwhile the others
 * order what they like. Once for each deviating seat, and as long again for what is fetched.
 */
const patienceMs = ({ deviants }: Plan): number =>
  deviants.length === 0 ? 0 : 10_000 * (deviants.length + 1);
const MS_ASKED_AGAIN = 100;
/** Longest wait for one of the writes that use a network. */
const MS_WRITES = 10_000;
/** After the last write: all honest nodes stand at one block, or some node moves. */
const AGREE_MS = 30_000;
/** After that: the newest checkpoint has a quorum's signatures everywhere. */
const SIGN_MS = 30_000;
/** Rows and log of an honest node in a run of this size. */
const MAX_DISK_BYTES = 256 << 20;

export interface Outcome {
  seed: number;
  /** What did not hold; undefined: all did. */
  fault: string | undefined;
  struck: ReadonlyMap<string, number>;
  done: ReadonlyMap<string, number>;
  /** Simulated. */
  ms: number;
  steps: number;
  blocks: number;
  events: number;
  epochs: number;
  /** Time from the heal until every honest node had answered a write; undefined: not all have. */
  healedInMs: number | undefined;
  /** Rounds that were ordered meanwhile. */
  healedInRounds: number | undefined;
  /** Answers that were compared with the model, and those about which it says nothing, by what was asked. */
  compared: number;
  unknown: ReadonlyMap<string, number>;
}

/** All that can strike, by the names in `Outcome.struck`. */
export const KINDS: readonly string[] = [
  ...FAULT_KINDS,
  ...DEVIATIONS.map((how) => `seat: ${how}`),
  'joined by state',
  'observer',
  'late seat',
  'silent strangers',
];

export interface RunOptions {
  onLog?: (line: LogLine) => void;
}

export async function runPlan(plan: Plan, o: RunOptions = {}): Promise<Outcome> {
  const net = new SimNetwork({
    seed: plan.seed,
    seats: plan.seats,
    wire: plan.wire,
    env: {
      SERVICE_AUTOVALIDATOR: 'true',
      SERVICE_OBSERVERS: '*',
      ...(plan.hasRecords ? { SERVICE_SIGNED_RECORD: RECORD } : {}),
    },
    ...rulesOf(plan),
  });
  if (o.onLog) net.onLog = o.onLog;
  const { universe } = net;
  const faults = new Faults(net);
  const deviated = deviateAll(net, plan, faults);
  const strangers = new Strangers(net, plan.strangers);
  const honest = net.machines.filter(({ name }) => !net.watch.ignored.has(name));
  const later = latecomers(net, plan);
  const whole = net.machines.filter(({ name }) => !net.watch.ignored.has(name));
  const gone = new Set(plan.faults.filter(isForGood).flatMap(({ on }) => on));
  const living = honest.filter(({ name }) => !gone.has(name));
  const lasting = whole.filter(({ name }) => !gone.has(name));
  const load = new Load(net, {
    agents: plan.agents,
    machines: honest.map(({ name }) => name),
    readers: whole.map(({ name }) => name),
    pauseMs: plan.pauseMs,
  });
  const startMs = universe.nowMs;
  let healedInMs: number | undefined;
  let healedInRounds: number | undefined;

  const play = async (): Promise<string | undefined> => {
    await net.start(later);
    faults.schedule(plan.faults);
    load.start();
    await net.run(plan.healMs);
    await net.run(60_000, () => faults.areOver);
    net.heal();
    for (const machine of lasting) if (!machine.hasProcess) void machine.start();
    load.stop();
    const joiners = plan.latecomers.filter(({ join }) => join === 'checkpoint').map(({ name }) => name);
    const notJoined = await untilJoined(net, joiners, living);
    if (notJoined !== undefined) return notJoined;
    const [healMs, healRound] = [universe.nowMs, net.watch.rounds];
    const names = living.map(({ name }) => name);
    const alive = await isLive(net, names);
    if (alive !== undefined) return alive;
    healedInMs = universe.nowMs - healMs;
    healedInRounds = net.watch.rounds - healRound;
    const isLate = healedInRounds > MAX_ROUNDS && healedInMs > patienceMs(plan);
    if (isLate && !mayHoldBack(plan))
      return `${healedInRounds} rounds until every honest node had answered a write`;
    if (!(await agree(net, lasting)))
      return `nodes stand at different blocks: ${lasting.map((machine) => standing(net, machine)).join(', ')}`;
    if (!(await untilSigned(net, lasting)))
      return `a quorum's signatures are missing: ${lasting.map(({ name, disk }) => `${name} ${signedHeight(disk)}`).join(', ')} of ${Math.max(...lasting.map(reached))}`;
    for (const machine of whole) {
      if (machine.disk.bytes > MAX_DISK_BYTES) return `${machine.name} holds ${machine.disk.bytes} bytes`;
    }
    return load.history.fault(net.watch) ?? (await modelFault()) ?? unexpected(net, plan);
  };
  let compared: Comparison | undefined;
  const modelFault = async (): Promise<string | undefined> => {
    // A node that joined has not got all of the log.
    const complete = living.find(({ disk }) => disk.get(rowKey.epochVertex(0, 0)) !== undefined);
    compared = complete && (await compareAlong(net, complete, load.history.calls));
    return compared?.fault;
  };

  const broken = (error: Error): string => `the run broke: ${error.stack}`;
  const fault = await play().catch(broken);
  const result: Outcome = {
    seed: plan.seed,
    fault: net.watch.fault?.message ?? fault,
    struck: new Map([
      ...faults.struck,
      ...[...deviated].map(([how, n]) => [`seat: ${how}`, n] as const),
      ...(net.watch.joins > 0 ? [['joined by state', net.watch.joins] as const] : []),
      ...plan.latecomers.map(({ isObserver }) => [isObserver ? 'observer' : 'late seat', 1] as const),
      ...(strangers.opened > 0 ? [['silent strangers', strangers.opened] as const] : []),
    ]),
    done: load.done,
    ms: universe.nowMs - startMs,
    steps: universe.steps,
    blocks: net.watch.blocks.size,
    events: net.watch.events.size,
    epochs: Math.max(0, ...(await Promise.all(living.map(async (m) => (await headOf(net, m.name)).epoch)))),
    healedInMs,
    healedInRounds,
    compared: compared?.answers ?? 0,
    unknown: compared?.unknown ?? new Map(),
  };
  for (const machine of net.machines) machine.kill();
  return result;
}

/** What else the network is made with. */
function rulesOf({ silence }: Plan): Partial<NetworkPlan> {
  if (!silence) return {};
  const { epochs, secs, epochMs } = silence;
  const params = { silence_epochs: String(epochs), silence_secs: String(secs) };
  return { params, limits: { ...SMALL_EPOCHS, timeMs: epochMs } };
}

/** The block of a machine, or why it has none. */
function standing(net: SimNetwork, { name, failures, isUp }: Machine): string {
  const failure = failures.at(-1);
  return `${name} ${net.watch.newest.get(name) ?? 'none'}${isUp ? '' : ' (down)'}${failure ? ` ${failure.message}` : ''}`;
}

/** Machines that start in the midst of the run. */
function latecomers(net: SimNetwork, plan: Plan): ReadonlySet<string> {
  for (const [i, { name, isObserver, atMs, join }] of plan.latecomers.entries()) {
    const env = { SERVICE_JOIN: join, ...(isObserver ? { SERVICE_AUTOVALIDATOR: 'false' } : {}) };
    const key = keyPairFromSeed(new Uint8Array(32).fill(100 + i));
    const machine = isObserver ? net.add({ name, key, isObserver }) : net.machine(name);
    machine.o.env = { ...machine.o.env, ...env };
    net.universe.after(atMs, () => void machine.start());
  }
  return new Set(plan.latecomers.map(({ name }) => name));
}

/** Seats that do not follow the protocol begin; what they really did is counted. */
function deviateAll(net: SimNetwork, plan: Plan, faults: Faults): ReadonlyMap<Deviation, number> {
  const done = new Map<Deviation, number>();
  const { universe } = net;
  for (const { seat } of plan.deviants) net.watch.ignored.add(`n${seat}`);
  const honest = net.machines.map(({ name }) => name).filter((name) => !net.watch.ignored.has(name));
  for (const { seat, how } of plan.deviants) {
    deviate(how, {
      net,
      seat,
      name: `n${seat}`,
      honest,
      dice: universe.dice,
      nowMs: () => universe.nowMs,
      moment: () => faults.moment(),
      struck: () => done.set(how, (done.get(how) ?? 0) + 1),
    });
  }
  return done;
}

/** Every honest node executes a write of its own within the bound; else which does not, and why. */
/**
 * Who is to join from a checkpoint waits until a node serves one, which an idle network never does: until then this one is
 * used. Undefined when all have joined.
 */
async function untilJoined(
  net: SimNetwork,
  names: readonly string[],
  living: readonly Machine[],
): Promise<string | undefined> {
  const waiting = (): Machine[] =>
    names.map((name) => net.machine(name)).filter(({ hasProcess, isUp }) => hasProcess && !isUp);
  const endMs = net.universe.nowMs + LIVENESS_MS;
  for (let i = 0; waiting().length > 0; i++) {
    if (net.universe.nowMs > endMs)
      return `not joined ${LIVENESS_MS / 1000} s after the heal: ${waiting().map(({ name }) => name)}`;
    const at = living.find(({ isUp }) => isUp);
    let isDone = false;
    if (at) {
      const client = clientOf(net, at.name, 8000 + i, undefined, undefined, 0);
      void registered(net, client, MS_ASKED_AGAIN).then(() => {
        isDone = true;
      });
    }
    await net.run(at ? MS_WRITES : MS_ASKED_AGAIN, () => isDone);
  }
  return undefined;
}

/** Whether all come to stand at one block. A node that catches up is waited for as long as it moves. */
async function agree(net: SimNetwork, machines: readonly Machine[]): Promise<boolean> {
  const places = (): (number | undefined)[] => machines.map(({ name }) => net.watch.newest.get(name));
  for (;;) {
    const before = String(places());
    if (await net.run(AGREE_MS, () => new Set(places()).size === 1)) return true;
    if (String(places()) === before) return false;
  }
}

/** Checkpoints that a machine has made. */
const reached = ({ disk }: Machine): number => readTotals(disk).checkpoints;

/** Whether signatures of a quorum come to every machine, of all checkpoints that there are. */
async function untilSigned(net: SimNetwork, machines: readonly Machine[]): Promise<boolean> {
  const newest = Math.max(...machines.map(reached));
  return net.run(SIGN_MS, () => machines.every(({ disk }) => signedHeight(disk) >= newest));
}

async function isLive(net: SimNetwork, names: readonly string[]): Promise<string | undefined> {
  const waiting = new Map<string, string>();
  const asked = names.map(async (name, i) => {
    // Who may not write yet asks again at once: rounds go by while a client waits.
    const client = clientOf(net, name, 9000 + i, undefined, undefined, 0);
    waiting.set(name, 'no answer yet');
    await registered(net, client, MS_ASKED_AGAIN, ({ code, message }) =>
      waiting.set(name, `${code}: ${message}`),
    );
    waiting.delete(name);
  });
  void Promise.all(asked);
  if (await net.run(LIVENESS_MS, () => waiting.size === 0)) return undefined;
  const each = [...waiting].map(([name, why]) => `${standing(net, net.machine(name))} ${why}`);
  return `not live ${LIVENESS_MS / 1000} s after the heal: ${each.join('; ')}`;
}

/** Ends of processes and errors in logs that no fault of the plan explains. */
function unexpected(net: SimNetwork, plan: Plan): string | undefined {
  const explains = new Set(
    plan.faults.flatMap(({ kind, on }) => (kind === 'disk_full' || kind === 'bit_flip' ? on : [])),
  );
  for (const machine of net.machines) {
    if (net.watch.ignored.has(machine.name) || explains.has(machine.name)) continue;
    const [failure] = machine.failures;
    if (failure) return `${machine.name} stopped: ${failure.stack ?? failure.message}`;
  }
  return undefined;
}
