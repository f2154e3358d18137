// A node is asked for its state a moment after a seal, before the other seats' signatures of it have arrived: it has done
// nothing wrong, so whoever asks waits for them (consensus 5.12).

import { expect, it } from 'vitest';
import { beginAtSeal } from '../../host/audit/begin-at-seal.ts';
import { BOUNDS, HttpSource } from '../../host/audit/index.ts';
import { decodeProof, encodeProof } from '../../host/net/join-seals.ts';
import { decodeMessage, encodeMessage } from '../../host/net/messages.ts';
import { MemoryStore } from '../../host/store/memory-store.ts';
import { modules, verifyBatch } from '../host/audit/auditors.ts';
import { headOf } from './answers.ts';
import { clientOf, environmentOf, registered } from './client.ts';
import { SimNetwork } from './network.ts';

const withoutSignatures = (proof: Uint8Array): Uint8Array =>
  encodeProof({ ...decodeProof(proof)!, signatures: [] });

/** Starts from a state whose newest seal has no signatures in the first `times` answers. */
async function begin(net: SimNetwork, times: number) {
  const environment = environmentOf(net, () => {});
  const source = new HttpSource('http://n0', environment);
  const seals = source.seals.bind(source);
  let asked = 0;
  source.seals = async (from) => {
    const bytes = await seals(from);
    const answer = decodeMessage(bytes);
    if (answer?.type !== 'sealed' || answer.proofs.length === 0 || asked++ >= times) return bytes;
    const proofs = [...answer.proofs.slice(0, -1), withoutSignatures(answer.proofs.at(-1)!)];
    return encodeMessage({ ...answer, proofs });
  };
  const { genesis, scale } = net;
  return net.until(
    beginAtSeal({
      ...{ genesis, scale, modules, source, verify: verifyBatch, bounds: BOUNDS, rows: 'audit' },
      store: Object.assign(new MemoryStore(), { isPartial: false }),
      clock: environment.clock,
    }),
    60_000,
  );
}

it('is waited for, and refused when nobody ever signs it', async () => {
  const net = new SimNetwork({ seed: 33, seats: 4 });
  await net.start();
  // Some more after the last seal: nobody begins in an epoch in which nothing happened yet.
  for (let i = 0, more = 4; more > 0; i++) {
    await net.until(registered(net, clientOf(net, `n${i % 4}`, i)), 30_000);
    await net.run(300);
    if ((await headOf(net, 'n0')).epoch >= 2) more--;
  }
  expect((await begin(net, 3))!.length).toBeGreaterThan(0);
  await expect(begin(net, 1000)).rejects.toThrow('0 of 4 seats have signed it, which is not a quorum');
}, 60_000);
