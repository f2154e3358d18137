// Checks the documents against the program, each other and themselves: citations, tables, links, paths, examples.
// The rules are in tools/docs/. Needs a build. Usage: node tools/check-docs.mjs [--no-run]; with --no-run the examples
// are only read. A line for each fault, then one of totals; exit 1 on any fault.

import { checkDocs } from './docs/check.mjs';

// While true, citations of the drafts (see tools/docs/citations.mjs) are counted by folder and are no faults.
const DRAFTS_ALLOWED = true;

// The examples run in process groups of their own, which end with this process.
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(1));
const run = !process.argv.includes('--no-run');
const { faults, notes, totals } = await checkDocs(process.cwd(), { run, draftsAllowed: DRAFTS_ALLOWED });
for (const fault of faults) console.error(fault);
for (const note of notes) console.log(note);
console.log(totals);
process.exit(faults.length > 0 ? 1 : 0);
