// Examples as texts: every fenced block has a tag, `json` parses, what is to run can, and every script of npm that is
// named exists.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { commentIn } from './tree.mjs';

/** Other names of tags; one spelling each, so that no block is overlooked. */
const OTHER_NAMES = {
  bash: 'sh',
  shell: 'sh',
  console: 'sh',
  javascript: 'js',
  mjs: 'js',
  typescript: 'ts',
  py: 'python',
  txt: 'text',
};
const SCRIPT = /\bnpm run ((?:[a-z][\w-]*)(?::[\w-]+)*)/g;

/** npm would install or build, so a block that calls it does not run. */
export const callsNpm = ({ tag, text }) => tag === 'sh' && /^\s*npm\b/m.test(text);

export function checkBlocks(tree) {
  for (const [path, document] of tree.documents) {
    for (const block of document.blocks) {
      const { tag, marks, line, text } = block;
      tree.count('blocks');
      if (tag === '') tree.fault(path, line, 'the block has no language tag');
      else if (Object.hasOwn(OTHER_NAMES, tag))
        tree.fault(path, line, `the tag ${tag} is written ${OTHER_NAMES[tag]} here`);
      if (callsNpm(block) && !marks.includes('norun'))
        tree.fault(path, line, 'a block that calls npm does not run: tag it `sh norun`');
      if (tag === 'ts' && !marks.includes('norun'))
        tree.fault(path, line, 'blocks of ts do not run: write js, or tag it `ts norun`');
      if (tag !== 'json') continue;
      try {
        JSON.parse(text);
      } catch (error) {
        tree.fault(path, line, `the json does not parse: ${error.message.split('\n')[0]}`);
      }
    }
  }
}

export function checkScripts(tree) {
  const { scripts = {} } = JSON.parse(readFileSync(join(tree.root, 'package.json'), 'utf8'));
  for (const [path, text] of tree.texts) {
    // The code of tests makes up scripts; what a comment of them says is meant.
    const isTest = path.startsWith('test/') && !path.endsWith('.md');
    for (const [i, line] of text.split('\n').entries()) {
      for (const [, name] of (isTest ? commentIn(line) : line).matchAll(SCRIPT)) {
        tree.count('scripts');
        if (!Object.hasOwn(scripts, name)) tree.fault(path, i + 1, `package.json has no script ${name}`);
      }
    }
  }
}
