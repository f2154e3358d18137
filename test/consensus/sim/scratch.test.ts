import { expect, test } from 'vitest';
import { Dice, randomDag, randomShape } from '../../model/consensus/random-dag.ts';
import { Oracle } from '../../model/consensus/oracle.ts';
import { SOUND } from '../../model/consensus/rules.ts';
import { conflictingPairs } from './views.ts';
import { blockText } from '../../sim/outcome.ts';

const oracleEngine = (rules = SOUND) => ({ name: 'o', create: (c: any) => new Oracle(c, rules), restore: (b: any) => Oracle.restore(b, rules) });
test('x', () => {
  const t = performance.now();
  let blocks = 0, rounds = 0, pairs = 0;
  for (let seed = 1; seed <= 200; seed++) {
    const dice = new Dice(seed);
    const n = 1 + (seed % 12);
    const dag = randomDag(seed, randomShape(dice, n, 60 + 8 * n));
    const o = new Oracle(dag.config);
    for (const v of dag.vertices) expect(o.insert([v])[0]).toBe('inserted');
    rounds += o.maxRound();
    for (let b = o.nextBlock(); b; b = o.nextBlock()) { blocks++; blockText(b); }
    if (seed % 5 === 0) pairs += conflictingPairs(oracleEngine(), dag, 10, seed);
  }
  console.log({ ms: performance.now() - t, blocks, rounds, pairs });
});
for (const [name, rules] of Object.entries({
  majority: { ...SOUND, quorumPermille: 501n },
  nocert: { ...SOUND, hasCertificates: false },
  gap: { ...SOUND, anchorGap: 1 },
})) {
  test(name, () => {
    let bad = 0, pairs = 0; const t = performance.now();
    for (let seed = 1; seed <= 300; seed++) {
      const dag = randomDag(seed, { seats: 4, vertices: 120, weights: 'equal', minParticipants: 1, forkers: 1, branches: 2 + seed % 3, stalePercent: 20, partitionEvery: [0, 12, 25][seed % 3]!, maxParents: 4 });
      const p = conflictingPairs(oracleEngine(rules), dag, 10, seed);
      if (p) bad++; pairs += p;
    }
    console.log(name, { bad, pairs, ms: performance.now() - t });
  });
}
