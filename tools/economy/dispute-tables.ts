// The tables of what lying yields around deliveries (disputes.ts), beside what it costs, and which of them must hold.
// Keeps: a row that is promised to be below its cost is a fault when it is not; the others are shown as they are.

import { TOKEN } from './attack-chain.ts';
import {
  alwaysContests,
  alwaysDisputes,
  type Bench,
  type Looking,
  type Outcome,
  silentPosterBot,
} from './disputes.ts';

const tokens = (amount: number): string => (amount / TOKEN).toFixed(2);
const percent = (bp: number): string => `${bp / 100} %`;

interface Row {
  who: string;
  terms: string;
  outcome: Outcome;
  /** The rules promise that it costs more than it yields. */
  isPromised: boolean;
}

const SOON_AND_LATE: readonly Looking[] = [
  { soon: 8000, late: 2000 },
  { soon: 7000, late: 2800 },
  { soon: 7000, late: 2500 },
  { soon: 6000, late: 3000 },
  { soon: 5000, late: 3000 },
];
/** The bot gains once more posters never look than its bond, less what conceding gives back, is part of the whole. */
const MAX_NEVER_BP = 1500;

function botRows(module: WebAssembly.Module): Row[] {
  return SOON_AND_LATE.map((looking): Row => {
    const never = 10_000 - looking.soon - looking.late;
    return {
      who: 'worker who delivers "done" and concedes',
      terms: `${percent(looking.soon)} of posters look after 5 min, ${percent(looking.late)} after 12 h, ${percent(never)} never`,
      outcome: silentPosterBot(module, 100, looking),
      isPromised: never <= MAX_NEVER_BP,
    };
  });
}

/** Budget in tokens, part of the other side that does not defend itself, judges, whether it must cost more than it yields. */
type Case = [budget: number, absentBp: number, bench: Bench, isPromised: boolean];

const KINDS = { independent: '', alike: ', all err together' };

function termsOf(budget: number, { accuracyBp, kind = 'independent', cartel = 0 }: Bench): string {
  const size = budget < 10 ? 'one judge' : 'five judges, then all 20';
  const bought = cartel === 0 ? '' : `; ${cartel} of 20 vote for it`;
  return `${size}, right in ${percent(accuracyBp)}${KINDS[kind]}${bought}`;
}

/** Of both parties alike: judges that err, that err together, and that are bought. */
const CASES: readonly Case[] = [
  [9, 0, { accuracyBp: 9000 }, true],
  [9, 0, { accuracyBp: 7000 }, true],
  [9, 0, { accuracyBp: 9000, cartel: 6 }, true],
  [100, 0, { accuracyBp: 9000 }, true],
  [100, 0, { accuracyBp: 8000 }, true],
  [100, 500, { accuracyBp: 9000 }, true],
  [100, 0, { accuracyBp: 9000, kind: 'alike' }, true],
  [100, 0, { accuracyBp: 7500, kind: 'alike' }, false],
  [100, 0, { accuracyBp: 9000, cartel: 1 }, true],
  [100, 0, { accuracyBp: 9000, cartel: 4 }, true],
  [100, 0, { accuracyBp: 9000, cartel: 6 }, true],
  [100, 0, { accuracyBp: 9000, cartel: 10 }, false],
];

const posterRow =
  (module: WebAssembly.Module) =>
  ([budget, absentBp, bench, isPromised]: Case): Row => ({
    who: 'poster who disputes everything',
    terms: `${termsOf(budget, bench)}${absentBp === 0 ? '' : `; ${percent(absentBp)} of workers do not contest`}`,
    outcome: alwaysDisputes(module, budget, 10_000 - absentBp, bench),
    isPromised,
  });

const workerRow =
  (module: WebAssembly.Module) =>
  ([budget, absentBp, bench, isPromised]: Case): Row => ({
    who: 'worker who delivers "done" and contests',
    terms: `${termsOf(budget, bench)}${absentBp === 0 ? '' : `; ${percent(absentBp)} of posters never look`}`,
    outcome: alwaysContests(module, budget, absentBp, bench),
    isPromised,
  });

/** The table, with figures for one task, and what is wrong with it. */
export function disputeTables(module: WebAssembly.Module): { text: string; faults: string[] } {
  const rows = [...botRows(module), ...CASES.map(posterRow(module)), ...CASES.map(workerRow(module))];
  const isBelow = ({ gained, lost }: Outcome): boolean => gained < lost;
  const lines = rows.map(({ who, terms, outcome }) => {
    const cells = [who, terms, tokens(outcome.gained), tokens(outcome.lost)];
    return `| ${[...cells, isBelow(outcome) ? 'below' : 'ABOVE'].join(' | ')} |`;
  });
  const faults = rows
    .filter(({ isPromised, outcome }) => isPromised && !isBelow(outcome))
    .map(({ who, terms }) => `${who} (${terms}) gains more than it costs`);
  const head = ['| Who | Terms | Gained | Lost | Against its cost |', '|---|---|---|---|---|'];
  return { text: [...head, ...lines].join('\n'), faults };
}
