// vws validators: GET /v1/validators as a table.

import type { Validator } from '../../client/index.ts';
import { formatTokens } from '../amount.ts';
import { type Command, optionText } from '../command.ts';
import { JSON_OPTION, openClient, pagingOf, pagingOptions, printList } from '../connection.ts';
import { EXIT } from '../exit-code.ts';
import { formatTime } from '../output.ts';

const HEADS = ['ID', 'Status', 'Stake/required', 'Weight', 'Accuracy', 'Calibration', 'Cluster', 'Until'];

const percent = (ratio: number): string => `${Number((ratio * 100).toFixed(2))} %`;

/** Accuracy in each category, with its number of verdicts. */
function calibrationText({ calibration, suspended_categories }: Validator): string {
  const rows = Object.entries(calibration).map(([name, { signals, accuracy }]) => {
    const out = suspended_categories[name] === undefined ? '' : ' suspended';
    return `${name} ${percent(accuracy)} of ${signals}${out}`;
  });
  return rows.length === 0 ? '-' : rows.join(', ');
}

/** What the validator waits for: the end of a suspension, its probation cycle, or the grace period of a low stake. */
function untilText(v: Validator): string {
  if (v.status === 'suspended') {
    const end = v.suspended_until === undefined ? 'resumed' : formatTime(v.suspended_until);
    return `${end} (${v.suspension_reason})`;
  }
  if (v.status === 'probation') {
    return `cycle ${v.probation_cycle} since ${formatTime(v.probation_started_at ?? v.registered_at)}`;
  }
  return v.below_required_since === undefined ? '-' : `stake low since ${formatTime(v.below_required_since)}`;
}

const rowOf = (v: Validator): string[] => [
  v.id,
  v.status,
  `${formatTokens(v.staked_amount)}/${formatTokens(v.required_stake)}`,
  String(v.vote_weight),
  percent(v.accuracy),
  calibrationText(v),
  v.cluster_id ?? '-',
  untilText(v),
];

export const validators: Command = {
  name: 'validators',
  summary: 'list validators: status, stake, accuracy',
  about: `Lists validators in order of registration. Weight is that of its verdicts (0 unless active); accuracy is
the share of verdicts that agreed with the outcome, calibration the same for each category with the
number of verdicts; cluster names validators whose verdicts always agree. Until: the end of a suspension, the
probation cycle, or since when the stake has been below the required one.`,
  options: [
    { name: 'status', value: 'word', help: 'probation, active, suspended or excluded' },
    { name: 'category', value: 'name', help: 'only those that serve this category' },
    ...pagingOptions(),
    JSON_OPTION,
  ],
  settings: 'client',
  examples: ['vws validators', 'vws validators --status active --category code --limit 200'],
  async run(context) {
    const list = await openClient(context).validators.list({
      status: optionText(context, 'status'),
      category: optionText(context, 'category'),
      ...pagingOf(context),
    });
    printList(context, HEADS, list, rowOf);
    return EXIT.DONE;
  },
};
