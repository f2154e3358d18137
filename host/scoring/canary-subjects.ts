// The texts of canaries: for each group of categories a task with randomly drawn names and numbers, and two correct
// answers, a full one and a terse one.
// Keeps: figures in an answer follow from the figures in its task, so anybody can check them.

import type { GroupName } from './policy.ts';
import type { SeededDraw } from './seeded-draw.ts';

/** Groups for which canaries exist: those with their own verifier. */
export type CanaryGroup = Exclude<GroupName, 'other'>;

export interface Subject {
  title: string;
  description: string;
  success_criteria: string[];
  good: string;
  terse: string;
}

const PLACES = ['Aldermouth', 'Brackenport', 'Calder Quay', 'Dunmere', 'Eastwick', 'Fellhaven', 'Greyfirth'];
const GOODS = ['timber', 'grain', 'copper', 'cotton', 'salt', 'wool', 'coffee'];
const MONTHS = ['March', 'April', 'May', 'June', 'July', 'September', 'October'];
const WEEKDAYS = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday'];

const sum = (numbers: readonly number[]): number => numbers.reduce((a, b) => a + b, 0);
const numbers = (draw: SeededDraw, count: number, min: number, range: number): number[] =>
  Array.from({ length: count }, () => min + draw.below(range));

function code(draw: SeededDraw): Subject {
  const [good, place] = [draw.one(GOODS), draw.one(PLACES)];
  const unit = draw.one(['tons', 'crates', 'pallets']);
  const name = `sum${unit[0]!.toUpperCase()}${unit.slice(1)}ByHarbour`;
  const most = 10 * (10 + draw.below(90));
  return {
    title: `Function that adds up ${unit} of ${good} for each harbour`,
    description: `Write a TypeScript function ${name} for the ledger of ${place}. It takes a list of loads with harbour and ${unit}, leaves out negative loads and loads above ${most}, and returns the sum for each harbour.`,
    success_criteria: ['negative loads are left out', 'returns the sum for each harbour', 'has a test'],
    good: `// Adds up the ${unit} of ${good} that were landed, for each harbour in the ledger of ${place}.
// Negative loads are left out because they are corrections; so are loads above ${most}, which no crane here can lift.
interface Load {
  harbour: string;
  ${unit}: number;
}

const MOST = ${most};

function ${name}(loads: Load[]): Map<string, number> {
  const sums = new Map<string, number>();
  for (const load of loads) {
    if (load.${unit} < 0 || load.${unit} > MOST) continue;
    const before = sums.get(load.harbour) ?? 0;
    sums.set(load.harbour, before + load.${unit});
  }
  return sums;
}

// The test: one harbour twice, one with a negative load only, so the function returns a single sum.
function test(): void {
  const sums = ${name}([
    { harbour: '${place}', ${unit}: 4 },
    { harbour: '${place}', ${unit}: 9 },
    { harbour: 'none', ${unit}: -1 },
  ]);
  assert(sums.size === 1 && sums.get('${place}') === 13);
}
`,
    terse: `const ${name} = (l) => l.reduce((m, x) => (x.${unit} < 0 || x.${unit} > ${most} ? m : m.set(x.harbour, (m.get(x.harbour) || 0) + x.${unit})), new Map());`,
  };
}

function data(draw: SeededDraw): Subject {
  const [place, month] = [draw.one(PLACES), draw.one(MONTHS)];
  const vessels = numbers(draw, WEEKDAYS.length, 12, 80);
  const tons = numbers(draw, WEEKDAYS.length, 300, 900);
  const listed = WEEKDAYS.map((day, i) => `${day} ${vessels[i]} vessels with ${tons[i]} tons`).join(', ');
  const rows = WEEKDAYS.map((day, i) => `${day},${vessels[i]},${tons[i]}`).join('\n');
  const log = `https://example.org/log/${place.toLowerCase().replace(' ', '-')}/${month.toLowerCase()}`;
  return {
    title: `Table of vessels and tons at ${place} in ${month}`,
    description: `The harbour log of ${place} names for one week of ${month}: ${listed}. Give a table with a line for each weekday, the total of vessels, the total of tons, and where the figures come from.`,
    success_criteria: [
      'a line for each weekday',
      'total of vessels',
      'total of tons',
      'source of the figures',
    ],
    good: JSON.stringify(
      {
        about: `A line for each weekday of that week of ${month}, as the harbour log of ${place} has it. I added both columns by hand and once more from the end, and the sums agree.`,
        columns: ['weekday', 'vessels', 'tons'],
        table: WEEKDAYS.map((day, i) => ({ weekday: day, vessels: vessels[i], tons: tons[i] })),
        summary: `The total of vessels is ${sum(vessels)} and the total of tons is ${sum(tons)}. The busiest day had ${Math.max(...vessels)} vessels.`,
        sources: `The figures come from the log [1] and its scan [2]; the source of the figures for Friday is the pilot book [3], see also [4]. ${log} ${log}/scan`,
      },
      null,
      1,
    ),
    terse: `weekday,vessels,tons\n${rows}\ntotal,${sum(vessels)},${sum(tons)}`,
  };
}

function analysis(draw: SeededDraw): Subject {
  const [place, good] = [draw.one(PLACES), draw.one(GOODS)];
  const [first, second] = numbers(draw, 2, 200, 700) as [number, number];
  const change = second - first;
  const word = change >= 0 ? 'rose' : 'fell';
  const size = Math.abs(change);
  return {
    title: `Change of ${good} landed at ${place}`,
    description: `Last year ${place} landed ${first} tons of ${good}, this year ${second} tons. Say by how much the landings changed, what share of last year that is, and which causes should be looked at.`,
    success_criteria: ['change in tons', 'share of last year', 'causes to be looked at'],
    good: JSON.stringify(
      {
        change: `The landings of ${good} at ${place} ${word} by ${size} tons, from ${first} to ${second}; the change in tons is plain from the two yearly figures [1].`,
        share: `As a share of last year that is ${Math.floor((size * 1000) / first) / 10} percent [2]. One year says little: a single ship carries 80 to 120 tons, so 3 ships more or fewer explain a good part of it.`,
        causes: `The causes to be looked at are the strike of 14 days, the new quay with its 2 cranes, and prices, which I would compare over 5 years [3] before anybody decides.`,
        sources: `https://example.org/landings and https://example.org/prices, see [4]`,
      },
      null,
      1,
    ),
    terse: `${second} - ${first} = ${change} tons.`,
  };
}

function content(draw: SeededDraw): Subject {
  const [place, good, month] = [draw.one(PLACES), draw.one(GOODS), draw.one(MONTHS)];
  const stalls = 20 + draw.below(60);
  return {
    title: `Notice about the ${good} fair at ${place}`,
    description: `Write a notice for the people of ${place}: the ${good} fair takes place on the quay in ${month} with ${stalls} stalls, the ferry is free that day, and the bridge stays closed.`,
    success_criteria: ['ferry is free', 'bridge stays closed', 'number of stalls'],
    good: `# The ${good} fair comes to ${place}

In ${month} the quay belongs to the ${good} fair. The number of stalls has grown to ${stalls}, more than in any year before, and most of them are kept by families who live here.

- The ferry is free that day, from the first crossing to the last.
- The bridge stays closed, so please leave your car at home or park behind the church.

We ask the people of ${place} to be patient with each other: there will be noise, there will be music, and there will be soup for everybody who helps to carry the benches back.`,
    terse: `${good} fair, ${stalls} stalls. Ferry free, bridge closed.`,
  };
}

/** By group. */
export const SUBJECTS: Readonly<Record<CanaryGroup, (draw: SeededDraw) => Subject>> = {
  code,
  data,
  analysis,
  content,
};
