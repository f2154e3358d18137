import { test } from 'vitest';
import { Consensus } from '../../../host/core/consensus.ts';
import { module } from './drawn-dag.ts';
import { sha256 } from '../../../host/wire/hash.ts';
import { utf8 } from '../../../host/wire/bytes.ts';
test('x', () => {
  for (const w of [[0n,0n,1n,0n,0n,0n,0n,0n,4294967296n],[0n,0n,1n,0n,0n,0n,0n,0n,100n],[0n,0n,1n,0n,4294967296n]]) {
  const core = Consensus.create(module, { seats: w.map((weight) => ({ key: new Uint8Array(32), weight })), minParticipants: 2, epochId: new Uint8Array(32), previousTimeMs: 0, maxVertices: 128 });
  const f = (creator: number) => ({ id: sha256(utf8(`first ${creator}`)), creator, seq: 1, lamport: 1, timeMs: 5, work: false, parents: [] as Uint8Array[] });
  const n = w.length; const subs = [[2,8],[2,4],[8],[0,8],[0,1,8],[0,1,3,8],[0,1,3,4,8],[0,1,2,8],[1,3,4,5],[0,1,3,4,5,6,7,8]].filter((s) => s.every((x) => x < n));
 core.insert(w.map((_, i) => f(i)));
  for (const s of subs) {
    
    try { console.log(JSON.stringify(s), core.preview(s[0]!, s.map((x) => f(x).id), 5).round, s.reduce((a, x) => a + w[x]!, 0n)); } catch (e) { console.log(s, String(e)); }
  }
}
});
