// Suite `signatures`: Ed25519 verification, implementation x batch size x key reuse x share of forgeries x threads.
// Keeps: all sides verify the same signatures in turns, round by round, and must reach the same results. Keys count as
// "not cached" because more of them are in use than the cache keeps. sodium-native is a peer only if it is installed,
// ed25519-dalek if cargo can build it. `edges` says how many of the 196 edge cases of ZIP-215 the peer takes; the module: all.

import { createPrivateKey, createPublicKey, sign } from 'node:crypto';
import { loadEd25519 } from '../host/crypto/ed25519-load.ts';
import { createVerifierPool } from '../host/crypto/pool.ts';
import { referenceVerifyMany } from '../host/crypto/reference-verify.ts';
import { systemWorld } from '../host/world/system/world.ts';
import { SeededRandom } from '../tools/load/seeded-random.ts';
import { median, type Row, row, type SuiteRun, sameWork } from './row.ts';
import { dalekPeers } from './signature-dalek.ts';
import { edgeCases, edgesOf } from './signature-edges.ts';
import { count, inBatchesOf, loadSodium, type Sample, singles, type Verdicts } from './signature-peers.ts';

const SUITE = 'signatures';
const PER_SECOND = '/s';
const MESSAGE_BYTES = 140;
// Twice the capacity of the module's key cache.
const DISTINCT_KEYS = 4096;

interface Sizes {
  batches: readonly number[];
  keys: number;
  rounds: number;
  /** Signatures verified by each side in a round. */
  turn: number;
  nobleTurn: number;
  poolTurn: number;
}
const FULL: Sizes = {
  batches: [1, 8, 64, 256, 1024],
  keys: DISTINCT_KEYS,
  rounds: 15,
  turn: 1024,
  nobleTurn: 16,
  poolTurn: 8192,
};
const SMALL: Sizes = { batches: [1, 64], keys: 128, rounds: 2, turn: 64, nobleTurn: 4, poolTurn: 256 };

function makeSamples(random: SeededRandom, count: number, signers: number): Sample[] {
  const pairs = Array.from({ length: signers }, () => {
    const seed = random.bytes(32);
    const der = Buffer.concat([Buffer.from('302e020100300506032b657004220420', 'hex'), seed]);
    const privateKey = createPrivateKey({ key: der, format: 'der', type: 'pkcs8' });
    const key = createPublicKey(privateKey);
    const publicKey = new Uint8Array(key.export({ format: 'der', type: 'spki' }).subarray(-32));
    return { privateKey, key, publicKey };
  });
  return Array.from({ length: count }, (_, i) => {
    const { privateKey, key, publicKey } = pairs[i % signers]!;
    const message = random.bytes(MESSAGE_BYTES);
    return { key, publicKey, message, signature: new Uint8Array(sign(null, message, privateKey)) };
  });
}

/** `jobs` in batches of `size`, each verified by `verifyBatch`. */
function inBatches(
  size: number,
  verifyBatch: (jobs: readonly Sample[]) => Uint8Array,
): (jobs: readonly Sample[]) => number {
  return (jobs) => {
    let good = 0;
    for (let at = 0; at < jobs.length; at += size) good += count(verifyBatch(jobs.slice(at, at + size)));
    return good;
  };
}

/**
 * Signatures per second of processor time for each side, so that other programs on the machine do not count: the median
 * of rounds in which all sides verify the same slice.
 */
function race(
  run: SuiteRun,
  what: string,
  sizes: Sizes,
  samples: readonly Sample[],
  sides: Record<string, Verdicts>,
): Record<string, number> {
  const speeds = Object.fromEntries(Object.keys(sides).map((name) => [name, [] as number[]]));
  const checksums = Object.fromEntries(Object.keys(sides).map((name) => [name, 0]));
  const turn = Math.min(sizes.turn, samples.length);
  let at = 0;
  // The first round warms up: its figures are dropped.
  for (let round = 0; round <= sizes.rounds; round++) {
    if (at + turn > samples.length) at = 0;
    const slice = samples.slice(at, at + turn);
    at += turn;
    for (const [name, verifyAll] of Object.entries(sides)) {
      const before = process.cpuUsage();
      const found = verifyAll(slice);
      const { user, system } = process.cpuUsage(before);
      const { good, cpuUs } = typeof found === 'number' ? { good: found, cpuUs: user + system } : found;
      checksums[name]! += good;
      if (round > 0) speeds[name]!.push((slice.length * 1e6) / cpuUs);
    }
  }
  const texts = Object.entries(checksums).map(([name, good]) => [name, `${good} good`]);
  sameWork(run, what, Object.fromEntries(texts));
  return Object.fromEntries(Object.entries(speeds).map(([name, values]) => [name, median(values)]));
}

/** The module's variants against the peers, one row for each pair. */
function rowsOf(
  name: string,
  params: Row['params'],
  speeds: Record<string, number>,
  ours: string,
  against: readonly string[],
): Row[] {
  return against
    .filter((peer) => peer in speeds)
    .map((peer) => row(SUITE, name, params, PER_SECOND, speeds[ours]!, { name: peer, value: speeds[peer]! }));
}

/** Batch sizes, with and without SIMD, over keys that are never cached and over sixteen signers. */
function batchRows(run: SuiteRun, sizes: Sizes, random: SeededRandom): Row[] {
  const rows: Row[] = [];
  const sodium = loadSodium(run);
  const dalek = dalekPeers(run);
  const others = singles(sodium);
  const edges = edgeCases(run, loadEd25519(systemWorld), sodium, dalek[0]);
  for (const signers of [sizes.keys, 16]) {
    const samples = makeSamples(random, sizes.keys, signers);
    const keys = signers === 16 ? '16 signers' : 'not cached';
    for (const size of sizes.batches) {
      const sides = { ...others, ...inBatchesOf(dalek, size, signers === 16) };
      for (const [name, simd] of [
        ['wasm', true],
        ['wasm without SIMD', false],
      ] as const) {
        const door = loadEd25519(systemWorld, simd);
        sides[name] =
          size === 1
            ? (jobs) => count(jobs.map((job) => door.verifyOne(job)))
            : inBatches(size, (jobs) => door.verifyBatch(jobs));
      }
      const speeds = race(run, `batch ${size}, ${keys}`, sizes, samples, sides);
      const against = ['sodium-native', 'node:crypto'];
      const withSimd = [...against, ...dalek.map(({ name }) => name)];
      for (const peer of withSimd) {
        const params = { batch: size, keys, simd: 'yes', edges: edgesOf(edges, peer, size) };
        rows.push(...rowsOf('verify', params, speeds, 'wasm', [peer]));
      }
      rows.push(...rowsOf('verify', { batch: size, keys, simd: 'no' }, speeds, 'wasm without SIMD', against));
    }
  }
  return rows;
}

/** Against the reference library, forty times slower: few signatures. */
function nobleRows(run: SuiteRun, sizes: Sizes, random: SeededRandom): Row[] {
  const samples = makeSamples(random, sizes.nobleTurn * 4, sizes.nobleTurn * 4);
  const door = loadEd25519(systemWorld);
  const speeds = race(run, 'reference', { ...sizes, turn: sizes.nobleTurn, rounds: 4 }, samples, {
    wasm: (jobs) => count(jobs.map((job) => door.verifyOne(job))),
    '@noble/ed25519': (jobs) => count(referenceVerifyMany(jobs)),
  });
  return rowsOf('verify', { batch: 1, keys: 'not cached', simd: 'yes' }, speeds, 'wasm', ['@noble/ed25519']);
}

/** Forged signatures among valid ones, against verifying one by one: batches must never be slower. */
function forgedRows(run: SuiteRun, sizes: Sizes, random: SeededRandom): Row[] {
  const good = makeSamples(random, sizes.keys, sizes.keys);
  const rows: Row[] = [];
  for (const percent of [0, 1, 10, 50, 100]) {
    const samples = good.map((job) => {
      if (random.below(100) >= percent) return job;
      const signature = job.signature.slice();
      signature[32 + random.below(31)]! ^= 1;
      return { ...job, signature };
    });
    for (const size of sizes.batches.filter((each) => each === 64 || each === 256)) {
      const [batches, singles] = [loadEd25519(systemWorld), loadEd25519(systemWorld)];
      const speeds = race(run, `batch ${size}, ${percent} % forged`, sizes, samples, {
        batches: inBatches(size, (jobs) => batches.verifyBatch(jobs)),
        singles: (jobs) => count(jobs.map((job) => singles.verifyOne(job))),
      });
      rows.push(
        ...rowsOf('with forgeries', { batch: size, forged_percent: percent }, speeds, 'batches', ['singles']),
      );
    }
  }
  return rows;
}

/** The pool with one and with two threads, including message passing, by wall clock. */
async function poolRows(run: SuiteRun, sizes: Sizes, random: SeededRandom): Promise<Row[]> {
  const samples = makeSamples(random, sizes.keys, sizes.keys);
  const workerFile = systemWorld.program.path('host/crypto/worker.js');
  const pools = [1, 2].map((threads) => createVerifierPool({ threads, workerFile, world: systemWorld }));
  const speeds: number[][] = [[], []];
  const checksums = [0, 0];
  try {
    for (let round = 0; round <= Math.min(sizes.rounds, 8); round++) {
      for (const [i, pool] of pools.entries()) {
        const jobs = Array.from({ length: sizes.poolTurn }, (_, at) => samples[at % samples.length]!);
        const started = performance.now();
        checksums[i]! += count(await Promise.all(jobs.map((job) => pool.verify(job))));
        if (round > 0) speeds[i]!.push((jobs.length * 1000) / (performance.now() - started));
      }
    }
  } finally {
    await Promise.all(pools.map((pool) => pool.close()));
  }
  sameWork(run, 'pool', { 'one thread': `${checksums[0]} good`, 'two threads': `${checksums[1]} good` });
  const [one, two] = speeds.map(median) as [number, number];
  return [row(SUITE, 'pool', { threads: 2 }, PER_SECOND, two, { name: 'one thread', value: one })];
}

export async function run(run: SuiteRun): Promise<Row[]> {
  const sizes = run.small ? SMALL : FULL;
  const random = new SeededRandom(3);
  return [
    ...batchRows(run, sizes, random),
    ...nobleRows(run, sizes, random),
    ...forgedRows(run, sizes, random),
    ...(await poolRows(run, sizes, random)),
  ];
}
