// A data directory with many agents and some history, made without a server: a real node starts on it.
// Keeps: the log ends before the present, so the node's own clock goes on from there.

import * as abi from '../../assembly/abi.ts';
import { systemClock } from '../../host/clock.ts';
import { createNodeKeyFile } from '../../host/crypto/node-key-file.ts';
import { openStore } from '../../host/store/open.ts';
import { PASSPHRASE } from '../load/node-process.ts';
import { SeededRandom } from '../load/seeded-random.ts';
import { Chain } from './chain.ts';
import { makeLog, VERTEX_MS } from './make-log.ts';
import { Marketplace } from './marketplace.ts';
import { Story } from './story.ts';

const PER_VERTEX = 1000;
const CAST = 32;
const MARGIN_MS = 60_000;
/** Entries of a task on average, from its posting to its end. */
const STEPS_PER_TASK = 2;

export interface Population {
  /** Agents named `crowd/0` and so on, at least. */
  agents: number;
  /** Tasks and listings of theirs, at most one listing each. */
  tasks?: number;
  listings?: number;
  /** Random transactions after that. */
  transactions: number;
  seed: number;
}

/** Fills an empty directory; the node's key is made with the passphrase of test nodes. */
export async function populate(dataDir: string, plan: Population): Promise<void> {
  const { agents, transactions, seed, tasks = 0, listings = 0 } = plan;
  const random = new SeededRandom(seed);
  const identity = createNodeKeyFile(dataDir, PASSPHRASE, {}, random.bytes(32));
  const chain = await Chain.open(
    await openStore(dataDir, 'auto', () => {}),
    identity,
    Number.MAX_SAFE_INTEGER,
  );
  const story = new Story(identity, chain.genesis.chainId, random, CAST);
  const market = new Marketplace(identity, chain.genesis.chainId, random, { agents, tasks, listings });
  const entries = agents + transactions + listings + STEPS_PER_TASK * tasks;
  const vertices = Math.ceil(entries / PER_VERTEX) + 4;
  let nowMs = systemClock.nowMs() - MARGIN_MS - vertices * VERTEX_MS;
  await chain.order(story.opening(Math.floor(nowMs / 1000)), nowMs);
  for (let joined = 0; joined < agents; joined += PER_VERTEX) {
    nowMs += VERTEX_MS;
    const nowSecs = Math.floor(nowMs / 1000);
    const count = Math.min(PER_VERTEX, agents - joined);
    await chain.order(
      Array.from({ length: count }, () => story.newcomer(nowSecs)),
      nowMs,
    );
  }
  for (;;) {
    nowMs += VERTEX_MS;
    const made = market.next(PER_VERTEX, Math.floor(nowMs / 1000));
    if (made.length === 0) break;
    const { transactions: done } = await chain.order(made, nowMs);
    const refused = done.find((t) => t.code !== abi.OK);
    if (refused) throw new Error(`a task step or listing was refused with core code ${refused.code}`);
  }
  await makeLog(chain, story, { transactions, perVertex: PER_VERTEX, startMs: nowMs + VERTEX_MS });
  await chain.executor.close();
  await chain.store.close();
}
