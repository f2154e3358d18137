// The corpus of deliveries before simulated judges: how often honest work goes unpaid, dishonest work is paid, and whom a
// quorum slashes.
// Keeps: a judge errs by chance and by nothing else; what follows from its vote is the core's (court.ts).

import * as abi from '../../assembly/abi.ts';
import { scoreSubmission } from '../../host/scoring/index.ts';
import { type Delivery, deliveries } from '../../test/corpus/deliveries.ts';
import { SeededRandom } from '../load/seeded-random.ts';
import { Court, type Judges, PANELS, type PanelSize, type Terms, type Verdict } from './court.ts';

const BP = 10_000;
/** Judges that are drawn first, of those announced. */
const FIRST_PANEL = 5;
export const ACCURACIES = [7000, 8000, 9000, 9500] as const;

export interface Setting {
  /** Of each judge. */
  accuracyBp: number;
  /** alike: one model behind all judges, which err together. */
  kind: 'independent' | 'alike';
  size: PanelSize;
}

export interface Rates {
  /** Parts of the honest and of the dishonest deliveries, 0 to 1; a split counts half. */
  honestUnpaid: number;
  dishonestPaid: number;
  /** Numbers of workers. */
  slashedHonest: number;
  slashedDishonest: number;
  /** Panels that had another size than the setting asks for. */
  otherSizes: number;
}

const NOTHING = new Set(['refusal', 'stub', 'empty form', 'filler', 'task in other words']);

/** What a judge who sees through a delivery accuses its worker of. */
function groundOf({ kind }: Delivery): number {
  if (NOTHING.has(kind)) return abi.GROUND_NOTHING_DELIVERED;
  if (kind === 'work of another task') return abi.GROUND_PLAGIARISM;
  return kind === 'wrong' || kind === 'injection' ? abi.GROUND_FRAUD : abi.GROUND_NONE;
}

/** The verdict of a judge that is right or wrong; a wrong one accuses honest work of anything, or of nothing. */
function verdictOn(delivery: Delivery, isRight: boolean, random: SeededRandom): Verdict {
  const forWorker = delivery.isHonest === isRight;
  if (forWorker) return { forWorker, ground: abi.GROUND_NONE };
  const accusations = [
    abi.GROUND_NONE,
    abi.GROUND_NOTHING_DELIVERED,
    abi.GROUND_PLAGIARISM,
    abi.GROUND_FRAUD,
  ];
  return { forWorker, ground: delivery.isHonest ? random.pick(accusations) : groundOf(delivery) };
}

function judgesOf(delivery: Delivery, { accuracyBp, kind }: Setting, random: SeededRandom): Judges {
  const said = (): Verdict => verdictOn(delivery, random.below(BP) < accuracyBp, random);
  const common = said();
  return () => (kind === 'alike' ? common : said());
}

/** How a delivery is handed in: what every node computes about it. */
export function termsOf({ task, result }: Delivery): Omit<Terms, 'budget'> {
  const { title, description, category, delivered } = task;
  const contract = { title, description, category, success_criteria: [], required_checks: [] };
  const isExternal = delivered === 'external';
  const { factsHold } = scoreSubmission(contract, result);
  return {
    taskFlags: isExternal ? abi.TASK_EXTERNAL : 0,
    submitFlags:
      abi.SUBMIT_SCORED |
      (isExternal ? abi.SUBMIT_HAS_PLACE : abi.SUBMIT_HAS_CONTENT) |
      (factsHold ? abi.SUBMIT_FACTS_HOLD : 0),
  };
}

/** Every delivery of the corpus is disputed, and contested by its worker: nobody but the judges decides. */
export function trial(module: WebAssembly.Module, setting: Setting, seed = 1): Rates {
  const random = new SeededRandom(seed);
  const court = new Court(module, PANELS[setting.size].judges);
  const items = deliveries(seed);
  const rates = { honestUnpaid: 0, dishonestPaid: 0, slashedHonest: 0, slashedDishonest: 0, otherSizes: 0 };
  for (const item of items) {
    const judges = judgesOf(item, setting, random);
    const { share, isSlashed, panel } = court.judge(termsOf(item), setting.size, judges);
    if (panel.length > 0 && panel.length !== Math.min(FIRST_PANEL, setting.size)) rates.otherSizes++;
    if (item.isHonest) rates.honestUnpaid += (1 - share) / (items.length / 2);
    else rates.dishonestPaid += share / (items.length / 2);
    if (isSlashed && item.isHonest) rates.slashedHonest++;
    else if (isSlashed) rates.slashedDishonest++;
  }
  return rates;
}
