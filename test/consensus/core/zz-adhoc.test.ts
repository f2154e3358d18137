import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { Consensus } from '../../../host/core/consensus.ts';
import { Oracle } from '../../model/consensus/oracle.ts';
import { Dice, randomDag, randomShape, shuffledOrder } from '../../model/consensus/random-dag.ts';
import { toHex } from '../../../host/wire/bytes.ts';

const module = new WebAssembly.Module(readFileSync('build/consensus.wasm'));
const show = (b: any) => b && { ...b, leader: toHex(b.leader), vertices: b.vertices.map((v: any) => [toHex(v.id).slice(0, 8), v.creator, v.isVoid].join()), evidence: b.evidence.map((e: any) => ({ ...e, effective: toHex(e.effective), void: toHex(e.void) })) };
const from = Number(process.env.FROM ?? 0), n = Number(process.env.N ?? 150);
test('adhoc', { timeout: 600000 }, () => {
  let blocks = 0, forks = 0, voids = 0;
  for (let seed = from; seed < from + n; seed++) {
    const dice = new Dice(seed);
    const shape = randomShape(dice, dice.between(1, 12), dice.between(20, 140));
    const dag = randomDag(seed, shape);
    if (dag.forkers.size) forks++;
    const core = Consensus.create(module, dag.config);
    const model = new Oracle(dag.config);
    const each = seed % 10 === 0;
    const order = shuffledOrder(dice, dag.vertices);
    const second = Consensus.create(module, dag.config);
    second.insert(order);
    const drain = () => { for (;;) { const a = show(core.nextBlock()), b = show(model.nextBlock());
      expect(a, `seed ${seed}`).toEqual(b); if (!a) return; blocks++; voids += a.vertices.filter((x: string) => x.endsWith('true')).length;
      } };
    if (each) for (const v of dag.vertices) { 
      const pa = core.preview(v.creator, v.parents, v.timeMs), pb = model.preview(v.creator, v.parents, v.timeMs);
      expect(pa, `seed ${seed}`).toEqual(pb);
      expect(core.insert([v]), `seed ${seed}`).toEqual(model.insert([v])); drain(); }
    else { expect(core.insert(dag.vertices), `seed ${seed}`).toEqual(model.insert(dag.vertices)); drain(); }
    for (;;) { const a = second.nextBlock(); if (!a) break; }
    expect(toHex(second.snapshot())).toBe(toHex(core.snapshot()));
    for (const v of dag.vertices) { expect(core.explain(v.id), `seed ${seed}`).toEqual(model.explain(v.id)); expect(second.explain(v.id)).toEqual(core.explain(v.id)); }
    for (let r = 1; r <= core.maxRound(); r++) expect(core.quorumWitnesses(r)).toBe(model.quorumWitnesses(r));
    const back = Consensus.restore(module, core.snapshot());
    expect(toHex(back.snapshot())).toBe(toHex(core.snapshot()));
  }
  console.log({ blocks, forks, voids });
});
