// The report of `vws audit` in words, and its exit code.
// Keeps: it never says more than was shown; the last line names up to where the log holds and what was compared.

import { SHOWN, type Shown, type Verdict, weakest } from '../audit/index.ts';
import { EXIT, type ExitCode } from './exit-code.ts';
import type { Io } from './io.ts';
import type { Report } from './log-audit.ts';
import { plainText } from './output.ts';

const EXITS: Readonly<Record<Shown, ExitCode>> = {
  checked: EXIT.DONE,
  proven: EXIT.PROVEN,
  as_the_node_says: EXIT.AS_THE_NODE_SAYS,
  not_comparable: EXIT.NOT_COMPARABLE,
  lie: EXIT.LIE,
};

const spoken = (shown: Shown): string => shown.replaceAll('_', ' ');

/** Of a log alone. */
export function verdictExit({ shown, findings }: Pick<Verdict, 'shown' | 'findings'>): ExitCode {
  return shown !== 'lie' && findings.length > 0 ? EXIT.FINDING : EXITS[shown];
}

/** The weakest result of all; a finding stands between what could not be compared and a lie. */
export function exitOf(reports: readonly Report[]): ExitCode {
  const shown = weakest(reports.flatMap((one) => [one.shown, ...one.answers.map((answer) => answer.shown)]));
  return verdictExit({ shown, findings: reports.flatMap(({ findings }) => findings) });
}

export const timeText = (ms: number): string =>
  ms === 0 ? 'unknown' : new Date(ms).toISOString().replace(/\.\d+Z$/, 'Z');

const checkpointText = ({ checkpoint, checkpointCode }: Report): string =>
  checkpoint === 0 ? 'none' : `${checkpoint}:${checkpointCode}`;

/** What was compared, by result. */
function comparedText({ answers }: Report): string {
  if (answers.length === 0) return 'nothing';
  const names = [...new Set(answers.map(({ shown }) => shown))];
  return names
    .map((name) => {
      const own = answers.filter(({ shown }) => shown === name);
      return `${own.map(({ kind, id }) => `${kind} ${id}`).join(', ')}: ${spoken(name)}`;
    })
    .join('; ');
}

function lastLine(report: Report): string {
  const { way, order, timeMs } = report;
  // A node that gave no vertex, as one whose history begins later: nothing of a log was seen.
  if (order === 0) return `Nothing of the log was checked; compared: ${comparedText(report)}.`;
  const to = `up to order ${order}, time ${timeText(timeMs)}, checkpoint ${checkpointText(report)}`;
  const compared = `compared: ${comparedText(report)}.`;
  if (way === 'genesis') return `The log holds ${to}; ${compared}`;
  return `The log after a state that a quorum signed holds ${to}; ${compared}`;
}

export function printReport(io: Io, report: Report): void {
  const { genesis_hash, node, way, order, shown, fault, answers, findings } = report;
  const line = (head: string, text: string): void => io.out(plainText(`${head.padEnd(11)} ${text}`));
  line('node', node);
  if (genesis_hash !== '')
    line(
      'network',
      `${genesis_hash}${report.isPinned ? '' : ' (as the node says: compare it, or give --genesis)'}`,
    );
  const what = way === 'genesis' ? 'every vertex from the first' : 'the vertices after a signed state';
  // A fault in what was given ends the audit, perhaps before the first block.
  const nothing = fault ? 'no vertex was executed' : 'no vertex was given';
  line('log', order === 0 ? nothing : `${spoken(shown)}: ${what}, up to order ${order}`);
  line('', `${report.transactions} transactions, ${report.signatures} signatures, ${report.seconds} s`);
  line('state', report.stateRoot);
  line('checkpoint', `${checkpointText(report)}${report.checkpoint === 0 ? '' : ', signed by a quorum'}`);
  for (const { kind, id, shown: is, text, order: at } of answers)
    line(kind, `${id}: ${spoken(is)}, ${text ?? `${SHOWN[is]}, at order ${at}`}`);
  for (const { kind, text } of findings) line('FINDING', `${kind}: ${text}`);
  if (fault) line('LIE', `${fault.kind}: ${fault.text}`);
  else if (answers.some((answer) => answer.shown === 'lie')) line('LIE', 'see the lines above');
  else io.out(lastLine(report));
}
