// The verification of this visit. It continues while other pages are open, and its result serves every agent's page.
// Keeps: one verifier at a time; reports of an abandoned verification change nothing.

import { useEffect, useState } from 'preact/hooks';
import { openVerifier, type VerifyLink } from '../verify-link.ts';
import type { VerifyProgress, VerifyVerdict } from './worker-messages.ts';

type Way = 'genesis' | 'checkpoint';

interface Session {
  way: Way | undefined;
  first: VerifyProgress | undefined;
  progress: VerifyProgress | undefined;
  verdict: VerifyVerdict | undefined;
  error: Error | undefined;
}

const IDLE: Session = {
  way: undefined,
  first: undefined,
  progress: undefined,
  verdict: undefined,
  error: undefined,
};

let session = IDLE;
let link: VerifyLink | undefined;
let run = 0;
const watchers = new Set<(session: Session) => void>();

function change(part: Partial<Session>): void {
  session = { ...session, ...part };
  for (const notify of watchers) notify(session);
}

export const verifier = (): VerifyLink | undefined => link;

/** The session, for components. */
export function useSession(): Session {
  const [current, setCurrent] = useState(session);
  useEffect(() => {
    watchers.add(setCurrent);
    return () => void watchers.delete(setCurrent);
  }, []);
  return current;
}

/** Starts, or resumes after what was verified already. */
export async function startCheck(way: Way): Promise<void> {
  const thisRun = ++run;
  change({ ...IDLE, way });
  try {
    link ??= openVerifier();
    const verdict = await link.start({
      way,
      onProgress: (progress) => {
        if (thisRun === run) change({ progress, first: session.first ?? progress });
      },
    });
    if (thisRun === run) change({ verdict });
  } catch (error) {
    if (thisRun === run) change({ error: error as Error });
  }
}

/** Ends the verification and deletes what this browser stored of it. */
export async function resetCheck(): Promise<void> {
  run += 1;
  const old = link;
  link = undefined;
  await old?.reset();
  old?.close();
  change(IDLE);
}
