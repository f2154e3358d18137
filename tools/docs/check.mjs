// All checks of the documents, over one tree.

import { readBuilt } from './built.mjs';
import { checkCitations, findDrafts } from './citations.mjs';
import { checkCalls, checkCommands } from './commands.mjs';
import { checkEndpointExamples, checkObjects, checkRoutes } from './endpoints.mjs';
import { checkBlocks, checkScripts } from './examples.mjs';
import { checkCommentPaths, checkLinks } from './links.mjs';
import { runExamples } from './run-examples.mjs';
import { checkTables } from './tables.mjs';
import { readTree } from './tree.mjs';

/** See check.d.mts. */
export async function checkDocs(root, { run = true } = {}) {
  const tree = readTree(root);
  const notes = [];
  const built = await readBuilt(root);
  checkCitations(tree);
  for (const { path, line, name } of findDrafts(tree)) tree.fault(path, line, `cites the draft ${name}`);
  checkTables(tree, built);
  checkCommands(tree, built);
  checkRoutes(tree, built);
  checkObjects(tree, built);
  checkEndpointExamples(tree, built);
  checkLinks(tree);
  checkCommentPaths(tree);
  checkBlocks(tree);
  checkScripts(tree);
  checkCalls(tree, built);
  if (run) await runExamples(tree, notes);
  const counts = [...tree.totals].map(([name, n]) => `${n} ${name}`).join(', ');
  return { faults: tree.faults, notes, totals: `docs: ${counts}, ${tree.faults.length} faults` };
}
