// Runs the `js`, `sh` and `python` blocks of the documents, those of one document in order and in one sandbox.
// A block fails unless it exits with 0. A `text` block that follows it at once is its expected output: `...` in it is
// any text, and hex, addresses and times may differ. `norun` behind the tag: a block that cannot run here, since it
// serves in the foreground, needs other machines or a browser, or calls npm, which would install or build.

import { spawnSync } from 'node:child_process';
import { callsNpm } from './examples.mjs';
import { Sandbox } from './sandbox.mjs';

const RUN = ['js', 'sh', 'python'];
/** Documents that run at the same time. */
const AT_ONCE = 2;

/** Blocks that run, each with the `text` block that says what it prints. */
function runnable(document) {
  const found = [];
  for (const [i, block] of document.blocks.entries()) {
    if (!RUN.includes(block.tag) || block.marks.includes('norun') || callsNpm(block)) continue;
    const next = document.blocks[i + 1];
    const isNext =
      next?.tag === 'text' &&
      document.prose.slice(block.end, next.line - 1).every((one) => one.trim() === '');
    found.push({ ...block, expected: isNext ? next : undefined });
  }
  return found;
}

const VARYING = [
  /[0-9a-f]{16,}/, // ids, hashes, keys
  /t?vws1[0-9a-z]{20,}/, // deposit addresses
  /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z/, // times
];
const TOKENS = new RegExp(`(\\.\\.\\.|${VARYING.map((one) => one.source).join('|')})`);
const literal = (text) => text.replace(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);
const trimmed = (text) => text.replace(/[ \t]+$/gm, '').trim();

/** Whether an output is the expected one. */
export function isExpected(expected, output) {
  const parts = trimmed(expected).split(TOKENS);
  const pattern = parts.map((part) => {
    if (part === '...') return '[\\s\\S]*';
    const varying = VARYING.find((one) => new RegExp(`^(?:${one.source})$`).test(part));
    return varying ? varying.source : literal(part);
  });
  return new RegExp(`^${pattern.join('')}$`).test(trimmed(output));
}

function python(code) {
  return spawnSync('python3', ['-c', code], { encoding: 'utf8' });
}

/** What a python block needs and this machine lacks. */
function missingFor(text) {
  const names = [...text.matchAll(/^\s*(?:import|from)\s+([A-Za-z_]\w*)/gm)].map((found) => found[1]);
  const { status, stdout } = python(
    `import importlib.util as u\nprint(*[n for n in ${JSON.stringify(names)} if not u.find_spec(n)])`,
  );
  return status === 0 ? stdout.trim() : 'python3';
}

const lastLine = (text) => text.trim().split('\n').at(-1) ?? '';
function firstError(err) {
  const lines = err.trim().split('\n');
  return lines.find((line) => /^(?:\w*Error\b|error:|Uncaught)/.test(line.trim())) ?? lastLine(err);
}

async function runDocument(tree, path, blocks, notes) {
  const sandbox = new Sandbox(tree.root);
  try {
    await sandbox.startNode();
    for (const [i, { tag, line, text, expected }] of blocks.entries()) {
      const missing = tag === 'python' ? missingFor(text) : '';
      if (missing !== '') {
        notes.push(`${path}:${line}: NOT RUN, this machine lacks ${missing}`);
        continue;
      }
      tree.count('examples run');
      const { status, out, err } = await sandbox.run(tag, text);
      if (status === 0) {
        if (expected && !isExpected(expected.text, out))
          tree.fault(
            path,
            expected.line,
            `the example above prints something else: ${JSON.stringify(out.slice(0, 400))}`,
          );
        continue;
      }
      const how = status === undefined ? 'did not end within 60 s' : `ended with ${status}`;
      const left = blocks.length - 1 - i;
      const rest = left === 0 ? '' : ` (${left} later examples of this document were not run)`;
      const why = err.trim() === '' ? '' : `: ${firstError(err)}`;
      tree.fault(path, line, `the ${tag} example ${how}${why}${rest}`);
      return;
    }
  } catch (error) {
    tree.fault(path, undefined, error.message);
  } finally {
    sandbox.close();
  }
}

/** Runs everything that runs; `notes` gets a line for each block that could not. */
export async function runExamples(tree, notes) {
  const documents = [...tree.documents].filter(([path]) => /^(?:docs\/|[^/]+$)/.test(path));
  const waiting = documents
    .map(([path, one]) => [path, runnable(one)])
    .filter(([, blocks]) => blocks.length > 0);
  const worker = async () => {
    for (let next = waiting.shift(); next; next = waiting.shift())
      await runDocument(tree, next[0], next[1], notes);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
}
