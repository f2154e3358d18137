// What attacks with many identities cost and yield: the tables of docs/security.md.
// Keeps: every figure for 10, 1,000 and 100,000 identities is the core's (attack-cast.ts). Beyond the grants of the daily
// budget no attack may yield more than it costs: `faults` says which does.

import {
  fillLog,
  hogClaims,
  judgeTogether,
  launder,
  registerAll,
  spam,
  washLarge,
  washSmall,
  type Yield,
} from './attack-cast.ts';
import { Chain, ROGUE, TOKEN } from './attack-chain.ts';
import { DAY } from './world.ts';

const COUNTS = [10, 1_000, 100_000];
const CAST: readonly [string, (chain: Chain, count: number) => Yield][] = [
  ['wash traders, tasks of 0.1 token', washSmall],
  ['wash traders, all granted money', washLarge],
  ['claim hogs', hogClaims],
  ['spammers', spam],
  ['log fillers', fillLog],
];

const tokens = (amount: number): string =>
  (amount / TOKEN).toLocaleString('en-US', { maximumFractionDigits: 4 });
const whole = (count: number): string => count.toLocaleString('en-US');

function table(rows: readonly string[][]): string {
  const widths = rows[0]!.map((_, column) => Math.max(...rows.map((row) => row[column]!.length)));
  return rows.map((row) => row.map((cell, i) => cell.padStart(widths[i]!)).join('  ')).join('\n');
}

function grantRows(module: WebAssembly.Module): string[][] {
  const rows = [
    ['identities', 'chain', 'granted in a day', 'laundered, of it', 'fees paid', 'part of the seat'],
  ];
  for (const testnet of [true, false]) {
    for (const count of COUNTS) {
      const chain = new Chain(module, testnet);
      const part = chain.state.seats()[ROGUE]!.grantsLeft;
      const grants = registerAll(chain, 'sybil', count);
      const granted = grants.reduce((sum, grant) => sum + grant, 0);
      chain.run([], 0, DAY);
      const { yielded, fees } = launder(chain, grants);
      const cells = [granted, yielded, fees, part].map(tokens);
      rows.push([whole(count), testnet ? 'testnet' : 'mainnet', ...cells]);
    }
  }
  return rows;
}

/** The tables, and what is wrong with them. */
export function attackTables(module: WebAssembly.Module): { text: string; faults: string[] } {
  const faults: string[] = [];
  const rows = [['attack', 'identities', 'cost', 'locked', 'yield', 'power', 'besides']];
  for (const [name, attack] of CAST) {
    for (const count of COUNTS) {
      const { cost, gained, locked, power, left } = attack(new Chain(module, true), count);
      rows.push([name, whole(count), tokens(cost), tokens(locked), tokens(gained), tokens(power), left]);
      if (gained > cost) faults.push(`${name}, ${count} identities: yields ${gained}, costs ${cost}`);
      if (power > 10 * cost) faults.push(`${name}, ${count} identities: power ${power} for ${cost}`);
    }
  }
  const { first, month } = judgeTogether(new Chain(module, true, 1));
  const percent = (part: number): string => `${(100 * part).toFixed(1)} %`;
  const verdicts = `10 identities with 450,000 tokens of stake against one seat with 25,000 that never objects: ${percent(first)} of the verdict weight at first, ${percent(month)} a month later`;
  return { text: [table(grantRows(module)), '', table(rows), '', verdicts].join('\n'), faults };
}
