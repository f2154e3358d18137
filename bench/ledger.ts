// Suite `ledger`: the core against the same rules in plain JavaScript, from a thousand agents to a million, and the
// memory of agents on each side.
// Keeps: both sides get the same commands in turns, block by block, and must give the same outcomes and balances.
// Not measured: parsing requests, documents, the state's hash (a checkpoint, not a block, pays for that).

import { OPEN_HANDED } from './core-block.ts';
import { memoryRows } from './ledger-memory.ts';
import { type BlockTimes, LedgerRace, PEER } from './ledger-race.ts';
import { median, type Row, row, type SuiteRun, sameWork } from './row.ts';

interface Sizes {
  agents: number[];
  perBlock: number;
  rounds: number;
  warmup: number;
  memoryAgents: number;
}
const FULL: Sizes = {
  agents: [1_000, 10_000, 100_000, 1_000_000],
  perBlock: 500,
  rounds: 60,
  warmup: 20,
  memoryAgents: 200_000,
};
const SMALL: Sizes = { agents: [200, 1_000], perBlock: 100, rounds: 6, warmup: 2, memoryAgents: 2_000 };

/** Half of the rows for agents are taken at once (protocol 6.18); no task is posted, so their memory is for agents. */
const LIMITS = { ...OPEN_HANDED, agents: 2_000_000, tasks: 1 };

/** Medians over blocks, as commands per second of CPU. */
function speedRow(name: string, agents: number, perBlock: number, times: BlockTimes[]): Row {
  const perSecond = (side: 'core' | 'peer'): number => (perBlock / median(times.map((t) => t[side]))) * 1000;
  const params = { agents, commands: perBlock * times.length };
  return row('ledger', name, params, 'commands/s', perSecond('core'), {
    name: PEER,
    value: perSecond('peer'),
  });
}

export async function run(suite: SuiteRun): Promise<Row[]> {
  const size = suite.small ? SMALL : FULL;
  const rows: Row[] = [];
  const race = await LedgerRace.begin(LIMITS);
  const joined: BlockTimes[] = [];
  for (const agents of size.agents) {
    // The seat's operator is an agent too, and a table of a million rows has no room for one more.
    while (race.work.agents < agents - 1) {
      const count = Math.min(size.perBlock, agents - 1 - race.work.agents);
      const times = race.run(race.work.registrations(count, race.lastSecs));
      if (count === size.perBlock) joined.push(times);
    }
    const opened: BlockTimes[] = [];
    const settled: BlockTimes[] = [];
    for (let i = 0; i < size.rounds + size.warmup; i++) {
      const sent = race.run(race.work.transfers(size.perBlock, race.lastSecs));
      const judged = race.run(race.work.verdicts(race.lastSecs));
      if (i < size.warmup) continue;
      opened.push(sent);
      settled.push(judged);
    }
    sameWork(suite, `${agents} agents`, race.checksums(10_000));
    rows.push(speedRow('transfer', agents, size.perBlock, opened));
    rows.push(speedRow('verdict that settles', agents, size.perBlock, settled));
  }
  rows.unshift(speedRow('register', size.agents.at(-1)!, size.perBlock, joined));
  rows.push(...(await memoryRows(suite, size.memoryAgents)));
  return rows;
}
