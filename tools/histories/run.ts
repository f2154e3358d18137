// One run: a network of real nodes, concurrent clients over all of them, faults, and the history of it all.
// Keeps: what is found is in `faults` and in the history; only processes started here are ended. The seed repeats what is
// asked and which faults strike, not what the machine does in between.

import { chainIdOf } from '../../host/wire/chain-id.ts';
import { sleep } from '../load/node-process.ts';
import { SeededRandom } from '../load/seeded-random.ts';
import { untilEqual } from '../localnet/agreement.ts';
import { untilNothingPending } from '../soak/checks.ts';
import type { OrderedEvent } from './call.ts';
import { type FaultKind, Faults } from './faults.ts';
import type { Recorded } from './judge.ts';
import { Load } from './load.ts';
import { orderOf } from './order.ts';
import { WiredNetwork } from './wired-network.ts';

export interface HistoryPlan {
  nodes: number;
  seconds: number;
  seed: number;
  sessions: number;
  /** Longest pause of a session between two actions. */
  pauseMs: number;
  kinds: readonly FaultKind[];
  /** The program of the nodes, if it is another one than this build's. */
  main?: string;
  /** Longest wait for nodes that were broken to be healthy, and for all to agree; default: a minute. */
  returnMs?: number;
}

export interface RunResult {
  recorded: Recorded;
  struck: ReadonlyMap<FaultKind, number>;
  /** What went wrong beside the history: nodes that ended, did not return, or disagree. */
  faults: string[];
}

const RETURN_MS = 60_000;
const PAYERS = 6;
const WORKERS = 8;
/** Transfers that nobody decides come back soon. */
const PARAMS = { verification_deadline_secs: 6 };
/** The seats vote on transfers by themselves, so that money reaches others. Snapshots come while nodes are killed. */
const ENV = { SERVICE_AUTOVALIDATOR: 'true', SERVICE_SNAPSHOT_ORDERS: '200', MALLOC_ARENA_MAX: '1' };

/** Errors: a network that does not start; everything else is in the result. */
export async function recordHistory(plan: HistoryPlan): Promise<RunResult> {
  const { nodes: seats, seed, main, returnMs = RETURN_MS } = plan;
  const random = new SeededRandom(seed);
  const network = await WiredNetwork.start({ seats, params: PARAMS, env: ENV, main });
  try {
    const doors = network.names.map((machine, i) => ({ machine, port: network.port(i) }));
    const chainId = chainIdOf(true);
    const load = new Load({ chainId, doors, payers: PAYERS, workers: WORKERS, pauseMs: plan.pauseMs });
    await load.join(random);
    const randoms = Array.from({ length: plan.sessions }, () => new SeededRandom(random.next()));
    const faults = new Faults(network, new SeededRandom(random.next()), plan.kinds, returnMs);
    const [living, striking] = [load.run(randoms), faults.run()];
    await sleep(plan.seconds * 1000);
    faults.stop();
    const atEnd = await Promise.allSettled([striking]);
    load.stop();
    await living;
    for (const end of atEnd) if (end.status === 'rejected') faults.faults.push(String(end.reason));
    const { events, faults: differing } = await orderAtEnd(network, faults.faults, returnMs);
    const recorded = { calls: load.calls, events };
    return { recorded, struck: faults.struck, faults: [...faults.faults, ...differing] };
  } finally {
    await network.close();
  }
}

/** The order when everything is whole; nodes that do not come together are a fault. */
async function orderAtEnd(
  { nodes }: WiredNetwork,
  found: string[],
  maxMs: number,
): Promise<{ events: OrderedEvent[]; faults: string[] }> {
  try {
    await untilEqual(nodes, maxMs);
    await untilNothingPending(nodes);
    await untilEqual(nodes);
  } catch (error) {
    found.push(String(error));
  }
  return orderOf(nodes);
}
