import { test } from 'vitest';
import { Consensus } from '../../../host/core/consensus.ts';
import { module } from './drawn-dag.ts';
import { sha256 } from '../../../host/wire/hash.ts';
import { utf8 } from '../../../host/wire/bytes.ts';
test('x', () => {
  const w = [0n,0n,1n,0n,0n,0n,0n,0n,4294967296n];
  const core = Consensus.create(module, { seats: w.map((weight) => ({ key: new Uint8Array(32), weight })), minParticipants: 2, epochId: new Uint8Array(32), previousTimeMs: 0, maxVertices: 128 });
  const f = (creator: number) => ({ id: sha256(utf8(`first ${creator}`)), creator, seq: 1, lamport: 1, timeMs: 5, work: false, parents: [] as Uint8Array[] });
  for (const s of [[0,3,5,7,8],[8],[0,8],[0,3],[2,8]]) {
    console.log(core.insert(s.map(f)), core.quorumWitnesses(1), core.maxRound());
    try { console.log(s, core.preview(s[0]!, s.map((x) => f(x).id), 5)); } catch (e) { console.log(s, String(e)); }
  }
});
