import { readFileSync } from 'node:fs';
import { Consensus } from '../host/core/consensus.ts';
import { DagWork } from './dag-work.ts';
const cpu = () => { const u = process.cpuUsage(); return (u.user + u.system) / 1000; };
const module = new WebAssembly.Module(readFileSync(process.argv[2] ?? 'build/consensus.wasm'));
for (const [n, p, forkers] of [[1,1,0],[4,4,0],[10,4,0],[30,5,0],[100,5,0],[10,4,3],[100,5,15]] as const) {
  const work = new DagWork({ seats: n, vertices: 100_000, parents: p, intervalMs: 100, forkPercent: forkers ? 50 : 0, forkers, seed: 7 });
  const config = { seats: Array.from({ length: n }, () => ({ key: new Uint8Array(32), weight: 1_000_000n })), minParticipants: Math.min(n, 3), epochId: new Uint8Array(32).fill(3), previousTimeMs: 0, maxVertices: 524288 };
  const runs = work.records();
  let best = [1e9, 1e9, 1e9]; let fig: any; let perv = 0;
  for (let rep = 0; rep < 8; rep++) {
    const c = Consensus.create(module, config);
    let t0 = cpu(); let ins = 0;
    for (const r of runs) { const a = cpu(); c.insertRecords(r); ins += cpu() - a; let b; while ((b = c.nextBlock())); }
    const total = cpu() - t0;
    fig = c.figures();
    if (total < best[0]!) { best[0] = total; best[1] = ins; }
    const d = Consensus.create(module, config);
    t0 = cpu();
    for (let i = 0; i < work.vertices.length; i += 256) { d.insert(work.vertices.slice(i, i + 256)); let b; while ((b = d.nextBlock())); }
    best[2] = Math.min(best[2]!, cpu() - t0);
  }
  const V = work.vertices.length;
  console.log(`N ${n} P ${p} forkers ${forkers}: records ${(fig.ordered / best[0]! / 1000).toFixed(2)} M/s (insert ${(best[1]! / V * 1e6).toFixed(0)} ns, order ${((best[0]! - best[1]!) / V * 1e6).toFixed(0)} ns) objects ${(fig.ordered / best[2]! / 1000).toFixed(2)} M/s  rounds ${fig.maxRound} blocks ${fig.blocks} ordered ${fig.ordered} stride ${fig.stride} bytes/v ${(fig.bytes / V).toFixed(0)} parents/v ${(work.parentCount / V).toFixed(1)}`);
}
