// The check of this visit. It goes on while one looks at other pages, and its result serves every agent's page.
// Keeps: one verifier at a time; a report of a check that was given up changes nothing.

import { openVerifier, type VerifyLink, type VerifyProgress, type VerifyVerdict } from '../verify-link.ts';

export type Way = 'genesis' | 'checkpoint';

export interface Session {
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
  for (const tell of watchers) tell(session);
}

export const verifySession = (): Session => session;
export const verifier = (): VerifyLink | undefined => link;

/** Tells each change; the result stops that. */
export function watchSession(tell: (session: Session) => void): () => void {
  watchers.add(tell);
  return () => watchers.delete(tell);
}

/** Begins, or goes on behind what was checked already. */
export async function startCheck(way: Way): Promise<void> {
  const own = ++run;
  change({ ...IDLE, way });
  try {
    link ??= openVerifier();
    const verdict = await link.start({
      way,
      onProgress: (progress) => {
        if (own === run) change({ progress, first: session.first ?? progress });
      },
    });
    if (own === run) change({ verdict });
  } catch (error) {
    if (own === run) change({ error: error as Error });
  }
}

/** Gives the check up and forgets what this browser kept of it. */
export async function resetCheck(): Promise<void> {
  run += 1;
  const old = link;
  link = undefined;
  await old?.reset();
  old?.close();
  change(IDLE);
}
