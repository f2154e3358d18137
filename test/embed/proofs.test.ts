// Questions to the hosts about proofs of documents: proofs.txt holds what a reader finds that pins a state root. The file is
// what this code answers now; hosts in other languages answer it without the modules (`npm run test:embed`).

import { readFileSync, writeFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { DocumentRoot } from '../../host/store/document-root.ts';
import { MemoryStore } from '../../host/store/memory-store.ts';
import { WriteSet } from '../../host/store/write-set.ts';
import { compareBytes, concat, equalBytes, toHex } from '../../host/wire/bytes.ts';
import { readProof, stateRootOf } from '../../host/wire/document-proof.ts';
import { sha256 } from '../../host/wire/hash.ts';

const FILE = 'test/embed/proofs.txt';
const LEAVES = 40;
const HEAD = `# Proofs of documents under a pinned state root (consensus 5.18), made by npm run test:embed -- --write.
# state root, root of the core, first key, last key, part of the tree (- for none) = no, or the number of leaves from
# first to last and the first 16 bytes of SHA-256 of their keys and values.
`;

/** Repeatable numbers below `max`. */
function chanceOf(seed: number): (max: number) => number {
  let state = seed;
  return (max) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff;
    return (state >> 8) % max;
  };
}

interface Question {
  root: Uint8Array;
  core: Uint8Array;
  first: Uint8Array;
  last: Uint8Array;
  proof: Uint8Array;
}

/** What a reader finds. */
function answerTo({ root, core, first, last, proof }: Question): string {
  const shown = readProof(proof);
  if (!shown || !equalBytes(stateRootOf(core, shown.root), root) || !shown.covers(first, last)) return 'no';
  const inside = shown.leaves.filter(
    ({ key }) => compareBytes(key, first) >= 0 && compareBytes(key, last) <= 0,
  );
  const all = concat(...inside.flatMap(({ key, value }) => [key, value]));
  return `${inside.length} ${toHex(sha256(all)).slice(0, 32)}`;
}

async function questions(): Promise<Question[]> {
  const chance = chanceOf(5);
  const core = sha256(Uint8Array.of(1));
  const store = new MemoryStore();
  const tree = new DocumentRoot(store);
  const keyOf = (): Uint8Array => {
    const letter = 'ax'[chance(2)]!;
    const key = new Uint8Array(letter === 'a' ? 33 : 18).map(() => [0, 1, 16, 255][chance(4)]!);
    key[0] = letter.charCodeAt(0);
    return key;
  };
  const keys = Array.from({ length: LEAVES }, keyOf);
  for (const key of keys) tree.change({ key, value: sha256(key) });
  const set = new WriteSet(store);
  const root = stateRootOf(core, tree.update(set));
  await store.write(set.ops());
  const good: Question[] = [];
  for (let n = 0; n < 16; n++) {
    const first = n % 2 === 0 ? keys[chance(LEAVES)]! : keyOf();
    const last = first.slice();
    if (n % 4 > 1) last.fill(255, 1 + chance(3));
    good.push({ root, core, first, last, proof: tree.prove(first, last, LEAVES) });
  }
  const none = { core, first: keys[0]!, last: keys[0]!, proof: new Uint8Array(0) };
  const empty = { ...none, root: stateRootOf(core, new Uint8Array(32)) };
  const bad = Array.from({ length: 48 }, (_, n): Question => {
    const one = good[n % good.length]!;
    const proof = one.proof.slice();
    if (n < 32) proof[chance(proof.length)]! ^= 1 << chance(8);
    if (n < 36) return { ...one, proof };
    if (n < 40) return { ...one, proof: proof.subarray(0, chance(proof.length)) };
    if (n < 44) return { ...one, core: sha256(one.core) };
    // A proof of something else.
    return { ...one, proof: good[(n + 5) % good.length]!.proof };
  });
  return [...good, empty, { ...none, root }, ...bad];
}

it('proofs.txt holds what this code answers', async () => {
  const lines = (await questions()).map((question) => {
    const { root, core, first, last, proof } = question;
    const words = [root, core, first, last].map(toHex);
    return `${words.join(' ')} ${proof.length === 0 ? '-' : toHex(proof)} = ${answerTo(question)}\n`;
  });
  const refused = lines.filter((line) => line.endsWith(' = no\n')).length;
  expect([refused > 30, lines.length - refused > 16]).toEqual([true, true]);
  const text = HEAD + lines.join('');
  if (process.env.VWS_WRITE_VECTORS) writeFileSync(FILE, text);
  expect(readFileSync(FILE, 'utf8') === text, 'npm run test:embed -- --write makes it anew').toBe(true);
});
