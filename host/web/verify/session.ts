// The verification of this visit. It continues while other pages are open, and its result serves every page.
// Keeps: one verifier at a time; reports of an abandoned verification change nothing; a page that is loaded anew resumes
// what ran before.

import type { NumbersOf } from '../../audit/index.ts';
import { portableClock } from '../../world/portable.ts';
import { cellOf, usePicked } from '../data/watched.ts';
import { openVerifier, type VerifyLink } from '../verify-link.ts';
import { type Known, keepRun, keptRun, type Run } from './kept-run.ts';
import { pacedBy } from './paced.ts';
import type {
  Compared,
  OneKind,
  Recomputed,
  VerifyProgress,
  VerifyTarget,
  VerifyVerdict,
} from './worker-messages.ts';

export type { Known } from './kept-run.ts';

interface Session {
  way: VerifyTarget['way'] | undefined;
  first: VerifyProgress | undefined;
  progress: VerifyProgress | undefined;
  verdict: VerifyVerdict | undefined;
  error: Error | undefined;
  /** It ran when it was cancelled. */
  isStopped: boolean;
}

const IDLE: Session = {
  way: undefined,
  first: undefined,
  progress: undefined,
  verdict: undefined,
  error: undefined,
  isStopped: false,
};

const session = cellOf(IDLE);
let link: VerifyLink | undefined;
let run = 0;
let lastNode: string | undefined;

const change = (part: Partial<Session>): void => session.set({ ...session.now(), ...part });

export const verifier = (): VerifyLink | undefined => link;

export const isRunning = ({ way, verdict, error }: Session): boolean =>
  way !== undefined && !verdict && !error;

/** The session, for components. */
export const useSession = (): Session => usePicked(session, (all) => all);

/** Starts, or resumes after what was verified already. */
export async function startCheck(way: VerifyTarget['way'], known: Known = {}): Promise<void> {
  const thisRun = ++run;
  change({ ...IDLE, way });
  keepRun({ way, known });
  lastNode = known.node;
  try {
    link ??= openVerifier();
    const verdict = await link.start({
      way,
      ...known,
      onProgress: (progress) => {
        if (thisRun === run) change({ progress, first: session.now().first ?? progress });
      },
    });
    if (thisRun === run) conclude(verdict);
  } catch (error) {
    if (thisRun !== run) return;
    keepRun(undefined);
    change({ error: error as Error });
  }
}

function conclude(verdict: VerifyVerdict): void {
  if (!verdict.isGood) keepRun(undefined);
  change({ verdict });
}

/** Goes on with what ran when the page was left; with nothing else. */
export function resumeCheck(): void {
  const kept: Run | undefined = keptRun();
  if (kept && session.now().way === undefined) void startCheck(kept.way, kept.known);
}

/** Ends the verification at once. What was computed stays stored: the next run resumes there. */
export function cancelCheck(): void {
  run += 1;
  const { progress } = session.now();
  link?.close();
  link = undefined;
  keepRun(undefined);
  change({ ...IDLE, progress, isStopped: true });
}

/** Ends the verification and deletes what this browser stored of it. */
export async function resetCheck(): Promise<void> {
  run += 1;
  const old = link ?? openVerifier();
  link = undefined;
  keepRun(undefined);
  await old.reset(lastNode);
  old.close();
  change(IDLE);
}

/** What follows a verification repeats with every change of a number. */
const paced = pacedBy(portableClock);

const isChecked = (): boolean => session.now().verdict?.isGood === true;

/** Numbers as computed here; undefined before a good verdict. A fault found on the way becomes the verdict. */
export async function recompute(kind: NumbersOf, ids: readonly string[]): Promise<Recomputed | undefined> {
  const thisRun = run;
  const found = await paced(async () => (isChecked() ? await link?.recompute(kind, ids) : undefined));
  if (!found || thisRun !== run) return undefined;
  if (!found.verdict.isGood) conclude(found.verdict);
  return found;
}

export async function compare(kind: OneKind, id: string): Promise<Compared | undefined> {
  return await paced(async () => (isChecked() ? await link?.compare(kind, id) : undefined));
}
