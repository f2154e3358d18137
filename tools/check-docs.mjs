// Checks the documents against the program, each other and themselves: citations, tables, links, paths, examples.
// The rules are in tools/docs/. Needs a build. Usage: node tools/check-docs.mjs [--no-run]; with --no-run the examples
// are only read. A line for each fault, then one of totals; exit 1 on any fault.

import { checkDocs } from './docs/check.mjs';

// The examples run in process groups of their own, which end with this process.
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(1));
const run = !process.argv.includes('--no-run');
const { faults, notes, totals } = await checkDocs(process.cwd(), { run });
for (const fault of faults) console.error(fault);
for (const note of notes) console.log(note);
console.log(totals);
process.exit(faults.length > 0 ? 1 : 0);
