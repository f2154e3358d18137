// The report of a verification as a file, and what checking somebody else's report shows.
// Keeps: a report proves nothing by itself and needs no signature: whoever has it computes the same history again, from a
// node of their own choice, and demands the report's network and checkpoint of it.

import { readPin } from '../../audit/checkpoint-code.ts';
import type { VerifyFault, VerifyProgress, VerifyVerdict } from './worker-messages.ts';

const KIND = 'vws-verify-report-1';
/** A report is a few hundred bytes; with many findings a few thousand. */
export const MAX_REPORT_BYTES = 100_000;
const MAX_TEXTS = 20;
const MAX_TEXT = 500;
const HEX64 = /^[0-9a-f]{64}$/;

export interface Report {
  kind: typeof KIND;
  node: string;
  network: string;
  way: VerifyVerdict['way'];
  is_good: boolean;
  order: number;
  /** Consensus time of that order, ms. */
  time_ms: number;
  /** Height and code of the newest signed checkpoint; 0 and empty for none. */
  checkpoint: number;
  checkpoint_code: string;
  state_root: string;
  transactions: number;
  signatures: number;
  /** One sentence each. */
  findings: string[];
  fault?: string;
  /** When the report was made by the clock of its maker, ms. */
  made_ms: number;
}

export function reportOf(of: {
  node: string;
  verdict: VerifyVerdict;
  progress: VerifyProgress | undefined;
  nowMs: number;
}): Report {
  const { node, verdict, progress, nowMs } = of;
  return {
    kind: KIND,
    node,
    network: verdict.network,
    way: verdict.way,
    is_good: verdict.isGood,
    order: verdict.order,
    time_ms: verdict.timeMs,
    checkpoint: verdict.checkpoint,
    checkpoint_code: verdict.checkpointCode,
    state_root: verdict.stateRoot,
    transactions: progress?.transactions ?? 0,
    signatures: progress?.signatures ?? 0,
    findings: verdict.findings.map(({ text }) => text),
    ...(verdict.fault ? { fault: verdict.fault.text } : {}),
    made_ms: nowMs,
  };
}

const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && (value as number) >= 0;
const isText = (value: unknown, max = MAX_TEXT): value is string =>
  typeof value === 'string' && value.length <= max;

/** Undefined for anything that is not such a report in every member. */
export function readReport(text: string): Report | undefined {
  if (text.length > MAX_REPORT_BYTES) return undefined;
  let of: Partial<Report> | null;
  try {
    of = JSON.parse(text) as Partial<Report> | null;
  } catch {
    return undefined;
  }
  if (typeof of !== 'object' || of === null || of.kind !== KIND) return undefined;
  const { order, time_ms, checkpoint, transactions, signatures, made_ms, findings } = of;
  const isWhole =
    [order, time_ms, checkpoint, transactions, signatures, made_ms].every(isCount) &&
    isText(of.node) &&
    (of.way === 'genesis' || of.way === 'checkpoint') &&
    typeof of.is_good === 'boolean' &&
    Array.isArray(findings) &&
    findings.length <= MAX_TEXTS &&
    findings.every((one) => isText(one)) &&
    (of.fault === undefined || isText(of.fault));
  // A verification that failed at its start knows neither network nor state.
  const isNamed = of.is_good
    ? HEX64.test(String(of.network)) && HEX64.test(String(of.state_root))
    : isText(of.network, 64) && isText(of.state_root, 64);
  const hasPoint =
    checkpoint === 0
      ? of.checkpoint_code === ''
      : readPin(`${checkpoint}:${String(of.checkpoint_code)}`) !== undefined;
  return isWhole && isNamed && hasPoint ? (of as Report) : undefined;
}

/** What must be demanded of the network that the report is checked against. */
export const demandsOf = ({ network, checkpoint, checkpoint_code }: Report) => ({
  genesisHash: network,
  ...(checkpoint > 0 ? { pin: `${checkpoint}:${checkpoint_code}` } : {}),
});

/** The same demands for `vws audit`. */
export function commandOf(report: Report): string {
  const { genesisHash, pin } = demandsOf(report);
  return `vws audit --genesis ${genesisHash}${pin ? ` --pin ${pin}` : ''}`;
}

interface Judged {
  tone: 'good' | 'bad' | '';
  text: string;
}

/** What an own verification with the report's demands says of the report. */
export function judge(report: Report, verdict: VerifyVerdict): Judged {
  const fault: VerifyFault | undefined = verdict.fault;
  if (!verdict.isGood) {
    const text = `This node does not agree with the report: ${fault?.text ?? 'it gave no history that can be verified'}`;
    return {
      tone: 'bad',
      text: `${text}. One of both was shown another history, or the report was altered.`,
    };
  }
  const missed = verdict.findings.find(({ kind }) => kind === 'pin' || kind === 'pruned');
  if (missed) return { tone: '', text: `Nothing can be said of the report here: ${missed.text}.` };
  if (report.checkpoint === 0)
    return {
      tone: '',
      text: 'The network is the same. The report names no signed checkpoint, so nothing more can be compared.',
    };
  return {
    tone: 'good',
    text: `The report holds up to checkpoint ${report.checkpoint}: this browser computed the same history up to there, and the state that was signed.`,
  };
}
