// Links of the documents lead to files and headings that exist; so do paths of the project in backticks, and those in
// the comments of sources.

import { dirname, join, normalize } from 'node:path';
import { codeIn } from './markdown.mjs';
import { commentIn } from './tree.mjs';

const LINK = /!?\[(?:[^[\]]|\[[^\]]*\])*\]\(([^)\s]+)(?:\s+"[^"]*")?\)/g;
const REFERENCE = /^\[[^\]]+\]:\s+(\S+)/;
const PATH = /^(?:host|assembly|test|tools|bench|docs)\/[^\s`]*/;
/** A path in a comment: only what ends like a file or a folder. */
const COMMENT_PATH =
  /(?<![\w./@-])(?:host|assembly|test|tools|bench|docs)\/[\w./-]*(?:\.(?:tsx?|mjs|md|json)\b|\/)(?![\w*<{$])/g;

function checkLink(tree, path, line, target) {
  if (/^[a-z][a-z+.-]*:/i.test(target)) return;
  tree.count('links');
  const [file, anchor] = target.split('#');
  const to = file === '' ? path : normalize(join(dirname(path), decodeURI(file))).replace(/\/$/, '');
  if (to.startsWith('..')) tree.fault(path, line, `link ${target} leads out of the project`);
  else if (!tree.has(to)) tree.fault(path, line, `link ${target}: there is no ${to}`);
  else if (anchor !== undefined && to.endsWith('.md')) {
    const anchors = tree.documents.get(to)?.headings.map((heading) => heading.anchor) ?? [];
    if (!anchors.includes(anchor)) tree.fault(path, line, `link ${target}: ${to} has no heading #${anchor}`);
  }
}

/** `a/{b,c}.ts` is two paths. */
function expand(path) {
  const found = /^(.*?)\{([^{}]*)\}(.*)$/.exec(path);
  if (!found) return [path];
  return found[2].split(',').flatMap((part) => expand(`${found[1]}${part}${found[3]}`));
}

/** Whether a path, in which `*` and `<name>` mean any name, is there. */
function exists(tree, path) {
  const plain = path.replace(/\/$/, '');
  if (!/[*<]/.test(plain)) return tree.has(plain);
  const literal = (text) => text.replace(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);
  const any = plain
    .split(/(\*\*|\*|<[^>]*>)/)
    .map((part) => (part === '**' ? '.*' : /^(?:\*|<.*>)$/.test(part) ? '[^/]*' : literal(part)));
  const pattern = new RegExp(`^${any.join('')}(?:/|$)`);
  return tree.paths.some((one) => pattern.test(one));
}

function checkPath(tree, path, line, name) {
  const plain = name.replace(/(?:[#:]\d.*)?[.,;:)]*$/, '');
  for (const one of expand(plain)) {
    tree.count('paths');
    if (!exists(tree, one)) tree.fault(path, line, `there is no ${one}`);
  }
}

export function checkLinks(tree) {
  for (const [path, document] of tree.documents) {
    for (const [i, line] of document.prose.entries()) {
      const text = line.replace(/`[^`]*`/g, '``');
      for (const found of text.matchAll(LINK)) checkLink(tree, path, i + 1, found[1]);
      const reference = REFERENCE.exec(text);
      if (reference) checkLink(tree, path, i + 1, reference[1]);
      // A changelog names what is gone.
      for (const code of path === 'CHANGELOG.md' ? [] : codeIn(line)) {
        const name = PATH.exec(code)?.[0];
        if (name !== undefined) checkPath(tree, path, i + 1, name);
      }
    }
  }
}

export function checkCommentPaths(tree) {
  for (const [path, text] of tree.texts) {
    if (path.endsWith('.md')) continue;
    for (const [i, line] of text.split('\n').entries()) {
      for (const [name] of commentIn(line).matchAll(COMMENT_PATH)) checkPath(tree, path, i + 1, name);
    }
  }
}
