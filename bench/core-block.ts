// A core with one seat, driven block by block, as the benchmarks of the ledger and of the router need it.

import { readFile } from 'node:fs/promises';
import * as abi from '../assembly/abi.ts';
import * as commands from '../host/core/commands.ts';
import { Core } from '../host/core/core.ts';
import { type Outcome, readOutcomes } from '../host/core/outcomes.ts';
import { applyGenesis } from '../host/execution/recovery.ts';
import { buildGenesis, type Genesis } from '../host/wire/genesis.ts';
import { singleSeatManifest } from '../host/wire/manifest.ts';
import { paramWords } from '../host/wire/params.ts';
import { builtPath } from '../tools/load/built.ts';

const PLACEHOLDER_HASH = new Uint8Array(32).fill(7);

/** Grants of a day, and rows of tables. */
export interface CoreLimits {
  dailyBudget: number;
  agents: number;
  tasks: number;
}
/** The core's own tables, and all grants of the schedule in a day. */
export const OPEN_HANDED: CoreLimits = {
  dailyBudget: 300_000_000_000_000,
  agents: abi.DEFAULT_AGENTS,
  tasks: abi.DEFAULT_TASKS,
};

/** A core after genesis, with one seat. */
export async function newCore(
  operatorHex: string,
  limits: CoreLimits = OPEN_HANDED,
): Promise<{ core: Core; genesis: Genesis }> {
  const genesis = buildGenesis({
    testnet: true,
    manifest: singleSeatManifest(operatorHex),
    overrides: { onboarding_daily_budget: limits.dailyBudget },
  });
  const { chainId, testnet, launchTime, params } = genesis;
  const module = await WebAssembly.compile(await readFile(builtPath('core.wasm')));
  const core = Core.create(module, {
    chainId,
    testnet,
    launchTime,
    params: paramWords(params),
    capacity: { agents: limits.agents, tasks: limits.tasks },
  });
  applyGenesis(core, genesis);
  return { core, genesis };
}

/** The records of a block of one vertex with these commands. */
export const blockRecords = (
  timeMs: number,
  number: number,
  entries: readonly Uint8Array[],
): Uint8Array[] => [
  commands.block(timeMs, number, PLACEHOLDER_HASH),
  commands.vertex(number, 0, entries.length),
  ...entries,
  commands.blockEnd(),
];

/** Executes records; returns the outcomes as copied bytes, to be read once no clock runs. */
export function applyRecords(core: Core, records: Uint8Array[]): Uint8Array[] {
  const parts: Uint8Array[] = [];
  core.apply(records, (out) => parts.push(out.bytes.slice()));
  return parts;
}

/** The outcomes in what `applyRecords` returned. */
export function* outcomesOf(parts: readonly Uint8Array[]): Generator<Outcome> {
  for (const bytes of parts) {
    yield* readOutcomes({ bytes, view: new DataView(bytes.buffer, bytes.byteOffset, bytes.length) });
  }
}
