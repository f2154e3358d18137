// npm run judges: what panels of judges make of the corpus of deliveries. Exit code 1 if they err more than they may.

import { readFileSync } from 'node:fs';
import { SIZES } from './judges/court.ts';
import { ACCURACIES, type Rates, type Setting, trial } from './judges/trial.ts';
import { builtPath } from './load/built.ts';
import { optionsOf } from './options.ts';

const { seed } = optionsOf({
  name: 'judges',
  about:
    '200 honest and 200 dishonest deliveries, each disputed and contested, before panels of simulated judges under the rules ' +
    'of the core: how many honest ones go unpaid, dishonest ones are paid (a split counts half), and whom a quorum slashes.',
  options: { seed: { kind: 'seed', fallback: 1, help: 'the same seed gives the same run' } },
});

/** Of judges who are right nine times in ten, five that do not err together may come to this share of wrong outcomes. */
const MOST_WRONG = 0.02;

const module = new WebAssembly.Module(readFileSync(builtPath('core.wasm')));
const percent = (part: number): string => `${(100 * part).toFixed(1)} %`;
const wrongOf = ({ honestUnpaid, dishonestPaid }: Rates): number => (honestUnpaid + dishonestPaid) / 2;
const rowOf = ({ accuracyBp, kind, size }: Setting, r: Rates): string =>
  `| ${[
    `${accuracyBp / 100} %`,
    kind,
    size,
    percent(r.honestUnpaid),
    percent(r.dishonestPaid),
    r.slashedHonest,
    r.slashedDishonest,
  ].join(' | ')} |`;

console.log(
  '| Judges | Errors | Panel | Honest unpaid | Dishonest paid | Honest slashed | Dishonest slashed |',
);
console.log('|---|---|---|---|---|---|---|');
for (const kind of ['independent', 'alike'] as const) {
  for (const accuracyBp of ACCURACIES) {
    for (const size of SIZES) {
      const setting = { accuracyBp, kind, size };
      const rates = trial(module, setting, seed);
      console.log(rowOf(setting, rates));
      const isMeasured = accuracyBp === 9000 && size === 5 && kind === 'independent';
      if (rates.otherSizes > 0 || (isMeasured && wrongOf(rates) >= MOST_WRONG)) {
        console.error(`fault: ${percent(wrongOf(rates))} wrong, ${rates.otherSizes} panels of another size`);
        process.exitCode = 1;
      }
    }
  }
}
