// Runs suites one after another, which takes hours for all.
// Keeps: one that fails costs the others nothing, and what was measured is handed over before the next begins.

import { tableText } from './report.ts';
import type { Row, Suite, SuiteRun } from './row.ts';

export interface NamedSuite {
  name: string;
  load(): Promise<{ run: Suite }>;
}

/** `keep` gets all rows so far after each suite. Answers the names of those that failed. */
export async function runSuites(
  suites: readonly NamedSuite[],
  options: SuiteRun,
  keep: (rows: readonly Row[]) => void,
): Promise<string[]> {
  const rows: Row[] = [];
  const failed: string[] = [];
  for (const { name, load } of suites) {
    options.say(`== ${name}`);
    try {
      const { run } = await load();
      const found = await run(options);
      rows.push(...found);
      options.say(`\n${tableText(found)}\n`);
    } catch (error) {
      failed.push(name);
      options.say(`  FAILED ${name}: ${error instanceof Error ? (error.stack ?? error.message) : error}\n`);
    }
    keep(rows);
  }
  return failed;
}
