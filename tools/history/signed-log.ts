// A log of real signatures in a data directory, long past, so that a node that continues it seals its epoch at once.

import { HttpSource } from '../../host/audit/index.ts';
import { systemEnvironment, VwsClient } from '../../host/client/index.ts';
import type { KeyPair } from '../../host/crypto/key-pair.ts';
import { decodeMessage } from '../../host/net/messages.ts';
import { systemClock } from '../../host/world/system/clock.ts';
import { openStore } from '../../host/world/system/open-store.ts';
import type { NodeProcess } from '../load/node-process.ts';
import { SeededRandom } from '../load/seeded-random.ts';
import { newSigner } from '../load/signed-writes.ts';
import { Chain, restore } from './chain.ts';
import { makeLog, VERTEX_MS } from './make-log.ts';
import { Story } from './story.ts';

/** An epoch has 64 blocks before it may seal. */
const perVertex = (transactions: number): number => Math.min(100, Math.floor(transactions / 100));
const CAST = 50;
/** The cast can pay for so many transactions of whole tokens. */
const PAID_BY_CAST = 100_000;
/** Unit of the sums of a story, micro-units. */
const unitOf = (transactions: number): number =>
  Math.max(1, Math.floor(1_000_000 * Math.min(1, PAID_BY_CAST / transactions)));
const NEVER = Number.MAX_SAFE_INTEGER;
const SEED = 7;
/** Age of the log's end: an epoch seals at the first block ten minutes after it opened. */
const OLD_MS = 700_000;

/** Makes the log; returns its number of transactions, how many of them were refused, and the seconds of a replay of it. */
export async function makeSignedLog(
  dataDir: string,
  identity: KeyPair,
  transactions: number,
  say: (text: string) => void,
) {
  const open = () => openStore(dataDir, 'auto', say);
  const chain = await Chain.open(await open(), identity, NEVER);
  const vertices = Math.ceil(transactions / perVertex(transactions)) + 2;
  const startMs = systemClock.nowMs() - vertices * VERTEX_MS - OLD_MS;
  const random = new SeededRandom(SEED);
  const story = new Story(identity, chain.genesis.chainId, random, CAST, unitOf(transactions));
  await chain.order(story.opening(Math.floor(startMs / 1000)), startMs);
  const plan = { transactions, perVertex: perVertex(transactions), startMs: startMs + VERTEX_MS };
  const made = await makeLog(chain, story, plan);
  await chain.store.close();
  const store = await open();
  const begunMs = systemClock.monotonicMs();
  await restore(store, chain.genesis, (message) => identity.sign(message));
  const replaySecs = (systemClock.monotonicMs() - begunMs) / 1000;
  await store.close();
  return { transactions: made.transactions + CAST, refused: made.refused, replaySecs };
}

/** A write more than ten minutes after the end of the log seals the epoch; the state at the seal is then available. */
export async function seal(node: NodeProcess): Promise<void> {
  const baseUrl = `http://127.0.0.1:${node.port}`;
  const source = new HttpSource(baseUrl, systemEnvironment);
  for (let tries = 0; tries < 100; tries++) {
    const answer = decodeMessage(await source.seals(0));
    // The new epoch is known to be open only once seats have created vertices in it.
    if (answer?.type === 'sealed' && answer.openers.length > 0) return;
    await new VwsClient({ baseUrl, key: newSigner() }).register();
  }
  throw new Error('the epoch did not seal');
}
