// The list terms of challenges and replay jobs, one for each filter (protocol 4.7, 4.8).

import { CHALLENGE_STATUSES, JOB_STATUSES } from '../../core/case-names.ts';
import type { ChallengeDoc, JobDoc } from '../../store/case-documents.ts';
import { fromHex } from '../../wire/bytes.ts';
import type { CaseTerms } from './case-index.ts';

const row = (n: number | undefined): string | undefined =>
  n === undefined
    ? undefined
    : String.fromCharCode((n >>> 24) & 0xff, (n >>> 16) & 0xff, (n >>> 8) & 0xff, n & 0xff);
const bytes = (id: Uint8Array | undefined): string | undefined => id && String.fromCharCode(...id);
const indexIn = (names: readonly string[], name: string | undefined): string | undefined =>
  name === undefined ? undefined : String.fromCharCode(names.indexOf(name));

interface ChallengeFilter {
  status?: string | undefined;
  /** 16 bytes. */
  task?: Uint8Array | undefined;
  /** Validator index, agent index. */
  target?: number | undefined;
  challenger?: number | undefined;
}
export const challengeTerms = (f: ChallengeFilter): CaseTerms => [
  indexIn(CHALLENGE_STATUSES, f.status),
  bytes(f.task),
  row(f.target),
  row(f.challenger),
];
export const termsOfChallenge = ({ core, text, target, challenger }: ChallengeDoc): CaseTerms =>
  challengeTerms({ status: core.status, task: fromHex(text.task_id)!, target, challenger });

interface JobFilter {
  status?: string | undefined;
  task?: Uint8Array | undefined;
  /** Validator index. */
  executor?: number | undefined;
}
export const jobTerms = (f: JobFilter): CaseTerms => [
  indexIn(JOB_STATUSES, f.status),
  bytes(f.task),
  row(f.executor),
];
export const termsOfJob = ({ core, text, executor }: JobDoc): CaseTerms =>
  jobTerms({ status: core.status, task: fromHex(text.task_id)!, executor });
