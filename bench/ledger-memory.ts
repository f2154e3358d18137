// Memory for each 100,000 agents: growth of the core's resident memory when agents register, beside the heap growth of
// the plain JavaScript peer. Each side runs in a separate process (peers/memory-probe.ts).

import { spawnSync } from 'node:child_process';
import { builtPath } from '../tools/load/built.ts';
import { PEER } from './ledger-race.ts';
import { type Row, row, type SuiteRun, sameWork } from './row.ts';

export interface Probe {
  /** Growth in bytes by the registrations. */
  bytes: number;
  checksum: string;
}

function probe(side: 'core' | 'peer', agents: number): Probe {
  const args = ['--expose-gc', builtPath('bench/peers/memory-probe.js'), side, String(agents)];
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' });
  if (status !== 0) throw new Error(`the memory probe of ${side} failed: ${stderr}`);
  return JSON.parse(stdout) as Probe;
}

export async function memoryRows(suite: SuiteRun, agents: number): Promise<Row[]> {
  const [core, peer] = [probe('core', agents), probe('peer', agents)];
  sameWork(suite, `memory of ${agents} agents`, { core: core.checksum, [PEER]: peer.checksum });
  const megabytes = ({ bytes }: Probe): number => (bytes / agents) * 0.1;
  const params = { agents };
  return [
    row('ledger', 'memory of 100,000 agents', params, 'MB', megabytes(core), {
      name: `${PEER} heap`,
      value: megabytes(peer),
    }),
  ];
}
