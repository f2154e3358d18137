// Which signatures each side takes, of the 196 edge cases of ZIP-215: key and R of small order, S = 0. A verifier of the
// cofactored rule takes all of them, alone as in a batch; the others differ from each other, so their speed buys another rule.

import { verify } from 'node:crypto';
import type { Ed25519Wasm } from '../host/crypto/ed25519-wasm.ts';
import { referenceVerifyMany } from '../host/crypto/reference-verify.ts';
import type { SignatureJob } from '../host/wire/bytes.ts';
import { zip215Jobs } from '../test/ed25519/odd-points.ts';
import type { SuiteRun } from './row.ts';
import type { Dalek } from './signature-dalek.ts';
import { count, type Sodium } from './signature-peers.ts';

const MESSAGE = new TextEncoder().encode('Zcash');

function nodeCrypto({ publicKey, message, signature }: SignatureJob): boolean {
  const x = Buffer.from(publicKey).toString('base64url');
  try {
    return verify(null, message, { key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' }, signature);
  } catch {
    return false;
  }
}

/** How many of the edge cases each side takes, by its name; printed as a table. */
export function edgeCases(
  suite: SuiteRun,
  door: Pick<Ed25519Wasm, 'verifyOne' | 'verifyBatch'>,
  sodium: Sodium | undefined,
  dalek: Dalek | undefined,
): ReadonlyMap<string, number> {
  const jobs = zip215Jobs(MESSAGE);
  const taken = new Map<string, number>([
    ['wasm, alone', count(jobs.map((job) => door.verifyOne(job)))],
    ['wasm, in a batch', count(door.verifyBatch(jobs))],
    ['@noble/ed25519', count(referenceVerifyMany(jobs))],
    ['node:crypto', count(jobs.map(nodeCrypto))],
  ]);
  for (const [name, good] of taken) {
    if (name.startsWith('wasm') && good !== jobs.length) throw new Error(`${name} takes ${good} edge cases`);
  }
  if (sodium) {
    const verdicts = jobs.map((job) =>
      sodium.crypto_sign_verify_detached(job.signature, job.message, job.publicKey),
    );
    taken.set('sodium-native', count(verdicts));
  }
  if (dalek) {
    taken.set('ed25519-dalek, verify', dalek.accepts(jobs, 'one'));
    taken.set('ed25519-dalek, verify_strict', dalek.accepts(jobs, 'strict'));
    taken.set('ed25519-dalek, verify_batch', dalek.accepts(jobs, 'batch'));
  }
  suite.say(`  of ${jobs.length} edge cases of ZIP-215 (key and R of small order, S = 0) each takes:`);
  for (const [name, good] of taken) suite.say(`    ${name.padEnd(30)} ${String(good).padStart(3)}`);
  return taken;
}

/** How many of them a peer takes in the way that a row measures; the column `edges`. */
export function edgesOf(taken: ReadonlyMap<string, number>, peer: string, batch: number): string {
  const way = batch === 1 ? 'verify' : 'verify_batch';
  const good = taken.get(peer.startsWith('ed25519-dalek') ? `ed25519-dalek, ${way}` : peer);
  return good === undefined ? 'unknown' : `${good} of ${taken.get('wasm, in a batch')}`;
}
