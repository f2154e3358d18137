// A data directory with many agents and some history, made without a server: a real node starts on it.
// Keeps: the log ends before the present, so the node's own clock goes on from there.

import { systemClock } from '../../host/clock.ts';
import { createNodeKeyFile } from '../../host/crypto/node-key-file.ts';
import { openStore } from '../../host/store/open.ts';
import { PASSPHRASE } from '../load/node-process.ts';
import { SeededRandom } from '../load/seeded-random.ts';
import { Chain } from './chain.ts';
import { makeLog, VERTEX_MS } from './make-log.ts';
import { Story } from './story.ts';

const PER_VERTEX = 1000;
const CAST = 32;
const MARGIN_MS = 60_000;

export interface Population {
  /** Agents named `crowd/0` and so on, at least. */
  agents: number;
  /** Random transactions after they joined. */
  transactions: number;
  seed: number;
}

/** Fills an empty directory; the node's key is made with the passphrase of test nodes. */
export async function populate(dataDir: string, { agents, transactions, seed }: Population): Promise<void> {
  const random = new SeededRandom(seed);
  const identity = createNodeKeyFile(dataDir, PASSPHRASE, {}, random.bytes(32));
  const chain = await Chain.open(
    await openStore(dataDir, 'auto', () => {}),
    identity,
    Number.MAX_SAFE_INTEGER,
  );
  const story = new Story(identity, chain.genesis.chainId, random, CAST);
  const vertices = Math.ceil(agents / PER_VERTEX) + Math.ceil(transactions / PER_VERTEX) + 1;
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
  await makeLog(chain, story, { transactions, perVertex: PER_VERTEX, startMs: nowMs + VERTEX_MS });
  await chain.executor.close();
  await chain.store.close();
}
