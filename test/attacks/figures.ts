// What an attack yielded, for the table of `npm run attacks`.
// Keeps: a figure is what the test has just measured; the one of the first version is quoted, never computed.

import { appendFileSync } from 'node:fs';

export interface Figure {
  /** Number of the attack in docs/security.md. */
  attack: string;
  /** What is counted, in a few words. */
  what: string;
  /** The same figure in the first version (0.1.0). */
  before: string;
  after: string;
}

/** Adds a row to the file that `npm run attacks` names; without it nothing is written. */
export function report(figure: Figure): void {
  const file = process.env.VWS_ATTACK_FIGURES;
  if (file) appendFileSync(file, `${JSON.stringify(figure)}\n`);
}
