// Registers agents on one side of the ledger benchmark and reports the memory that took, in a separate process.
// Usage: node --expose-gc memory-probe.js core|peer <agents>; prints one line of JSON.
// The core's pages are resident memory outside the heap; the peer's objects are heap. Both are measured after the same
// number of agents had registered in another instance.

import { createHash } from 'node:crypto';
import { State } from '../../host/core/state.ts';
import { toHex } from '../../host/wire/bytes.ts';
import { chainIdOf } from '../../host/wire/chain-id.ts';
import { blockRecords, newCore, OPEN_HANDED } from '../core-block.ts';
import type { Probe } from '../ledger-memory.ts';
import { type Batch, LedgerWork } from '../ledger-work.ts';
import { MapLedger } from './map-ledger.ts';

const PER_BLOCK = 1000;
const START_MS = 1_700_000_000_000;
const [side = '', count = ''] = process.argv.slice(2);
const agents = Number(count);

interface Engine {
  run(batch: Batch): void;
  /** Balance of each agent. */
  balances(): Iterable<number | bigint>;
  bytes(): number;
}

async function coreEngine(work: LedgerWork): Promise<Engine> {
  const { core } = await newCore(toHex(work.operator));
  let block = 0;
  return {
    run({ records }) {
      block += 1;
      core.apply(blockRecords(START_MS + block, block, records), () => {});
    },
    *balances() {
      const state = new State(core);
      for (let i = 0; i < state.header().agents; i++) yield state.agent(i)!.balance;
    },
    bytes: () => process.memoryUsage().rss,
  };
}

function peerEngine(work: LedgerWork): Engine {
  const ledger = new MapLedger(chainIdOf(true), toHex(work.operator), {
    ...OPEN_HANDED,
    dailyBudget: BigInt(OPEN_HANDED.dailyBudget),
  });
  let block = 0;
  return {
    run(batch) {
      block += 1;
      ledger.block(START_MS + block, batch.commands);
    },
    *balances() {
      for (const agent of ledger.agents) yield agent.balance;
    },
    bytes() {
      const { heapUsed, external } = process.memoryUsage();
      return heapUsed + external;
    },
  };
}

function registerAll(engine: Engine, work: LedgerWork): void {
  for (let left = agents; left > 0; left -= PER_BLOCK) {
    engine.run(work.registrations(Math.min(PER_BLOCK, left), START_MS / 1000 + 120));
  }
}

const begin = async (work: LedgerWork): Promise<Engine> =>
  side === 'core' ? coreEngine(work) : peerEngine(work);

const collect = (): void => {
  for (let i = 0; i < 4; i++) globalThis.gc?.();
};

// A first round warms up code and buffers. Its engine is kept to the end: if its memory were freed meanwhile, the
// second round would seem to take less.
const firstWork = new LedgerWork(1, false);
const first = await begin(firstWork);
registerAll(first, firstWork);

const work = new LedgerWork(2, false);
const engine = await begin(work);
collect();
const before = engine.bytes();
registerAll(engine, work);
collect();
const bytes = engine.bytes() - before;
const sum = createHash('sha256');
for (const balance of engine.balances()) sum.update(`${balance},`);
for (const balance of first.balances()) sum.update(`${balance},`);
const probe: Probe = { bytes, checksum: sum.digest('hex') };
console.log(JSON.stringify(probe));
