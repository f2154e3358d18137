// Makes and signs the groups of a population in a separate thread, while the caller orders the previous ones.
// Keeps: only a few groups ahead of the caller, who requests each by a message; the end is `undefined`.

import { parentPort, workerData } from 'node:worker_threads';
import { type Population, populationOf } from './population.ts';

const { plan, chainId, startMs } = workerData as { plan: Population; chainId: string; startMs: number };
const groups = populationOf(plan, chainId, startMs);
parentPort!.on('message', () => {
  const { value, done } = groups.next();
  parentPort!.postMessage(done ? undefined : value);
  if (done) parentPort!.close();
});
