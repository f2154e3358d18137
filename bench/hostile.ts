// Part of the suite `programs`: what programs cost that want to harm, from their bytes to their end.
// Keeps: each is refused or ends at the default fuel, as a contract counts it; other bytes for each run, since engines keep what they compiled.

import { admitWith } from '../host/programs/admit.ts';
import { execute } from '../host/programs/execute.ts';
import { ProgramFault } from '../host/programs/fault.ts';
import { DEFAULT_FUEL, MAX_OUTPUT_BYTES, memoryWeight } from '../host/programs/limits.ts';
import { HOSTILE, type Hostile, hostileModule } from '../tools/programs/hostile.ts';
import { type Row, row, type SuiteRun } from './row.ts';

const SUITE = 'programs';
/** What a check that counts the default fuel may take, and how far a loaded machine may be from it. */
const ALLOWED_MS = 50;
const MAX_TIMES = 4;
const [LOOP] = HOSTILE as [Hostile];

function perform(bytes: Uint8Array): void {
  try {
    const { metered, memoryPages } = admitWith('own', bytes);
    const limits = { fuel: DEFAULT_FUEL / memoryWeight(memoryPages), outputBytes: MAX_OUTPUT_BYTES };
    const { end } = execute(new WebAssembly.Module(metered), new Uint8Array(4), limits);
    if (end !== 'out_of_fuel' && end !== 'out_of_stack') throw new Error(`it ended as ${end}`);
  } catch (error) {
    if (!(error instanceof ProgramFault)) throw error;
  }
}

/** CPU of the process, compiler threads included: the least of some runs, since other programs share the machine. */
function cpuMs(hostile: Hostile, runs: number): number {
  const times = Array.from({ length: runs }, (_, variant) => {
    const bytes = hostileModule(hostile, variant);
    const before = process.cpuUsage();
    perform(bytes);
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1000;
  });
  return Math.min(...times);
}

/** The dearest of those that run and of those that are refused. Throws if one is far above what it may take. */
export function hostileRows({ small, say }: SuiteRun): Row[] {
  const runs = small ? 2 : 7;
  const measured = HOSTILE.map((one) => ({ one, ms: cpuMs(one, runs) }));
  const peer = { name: LOOP.name, value: measured[0]!.ms };
  return (['that run', 'that are refused'] as const).map((kind, i) => {
    const group = measured.filter(({ one }) => one.ends instanceof RegExp === (i === 1));
    const dearest = group.reduce((a, b) => (b.ms > a.ms ? b : a));
    say(
      `  ${group.length} hostile programs ${kind}: dearest "${dearest.one.name}", ${dearest.ms.toFixed(1)} ms of CPU`,
    );
    if (dearest.ms > MAX_TIMES * ALLOWED_MS)
      throw new Error(`"${dearest.one.name}" took ${dearest.ms.toFixed(0)} ms of CPU`);
    return row(SUITE, `hostile, ${kind}`, { dearest: dearest.one.name }, 'ms', dearest.ms, peer);
  });
}
