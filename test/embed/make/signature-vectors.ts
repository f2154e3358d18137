// Vectors of ed25519.wasm, for both builds: those of RFC 8032 and ZIP-215, and good and bad signatures beside each other.
// Keeps: every verdict is compared with that of @noble/ed25519 before it is noted.

import type { SignatureJob } from '../../../host/wire/bytes.ts';
import { concat } from '../../core/driver.ts';
import { smallOrderEncodings, torsionSignatures, zip215Jobs } from '../../ed25519/odd-points.ts';
import {
  fromHex,
  goodJobs,
  L,
  littleEndian,
  mutate,
  P,
  referenceVerdict,
  SeededRandom,
  toBigInt,
} from '../../ed25519/signatures.ts';
import { Recorder } from './recorder.ts';

// RFC 8032, 7.1, TEST 1 to 3.
const RFC_8032: readonly (readonly [key: string, message: string, signature: string])[] = [
  [
    'd75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a',
    '',
    'e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e065224901555fb8821590a33bacc61e39701cf9b46bd25bf5f0595bbe24655141438e7a100b',
  ],
  [
    '3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c',
    '72',
    '92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00',
  ],
  [
    'fc51cd8e6218a1a38da47ed00230f0580816ed13ba3303ac5deb911548908025',
    'af82',
    '6291d657deec24024827e69c3abe01a30ce548a284743a445e3680d7db5ac3ac18ff9b538d16f290ae67f760984dc6594a7c15e9716ed28dc027beceea1ec40a',
  ],
];

function rfcJobs(): SignatureJob[] {
  const jobs = RFC_8032.map(([key, message, signature]) => ({
    publicKey: fromHex(key),
    message: fromHex(message),
    signature: fromHex(signature),
  }));
  return jobs.flatMap((job) => [job, { ...job, message: concat([job.message, Uint8Array.of(0)]) }]);
}

const withParts = (job: SignatureJob, r: Uint8Array, s: Uint8Array): SignatureJob => ({
  ...job,
  signature: concat([r, s]),
});

// Special values of R and S; S + n L, whose equation holds; keys that are no point or spelt above p.
function borderJobs(base: SignatureJob): SignatureJob[] {
  const [r, s] = [base.signature.subarray(0, 32), base.signature.subarray(32)];
  const values = [0n, 1n, L - 1n, L, L + 1n, P - 1n, P, P + 1n, 2n ** 255n - 1n, 2n ** 256n - 1n];
  return [
    base,
    ...values.map((v) => withParts(base, r, littleEndian(v))),
    ...values.map((v) => withParts(base, littleEndian(v), s)),
    ...[1n, 2n, 8n, 15n].map((n) => withParts(base, r, littleEndian(toBigInt(s) + n * L))),
    ...[2n, 2n + P, 1n + P, P].map((y) => ({ ...base, publicKey: littleEndian(y) })),
  ];
}

/** Loads jobs and asks for the verdict on each and on some ranges. Throws where the reference says otherwise. */
function load(out: Recorder, name: string, jobs: SignatureJob[]): void {
  const coefficients = new SeededRandom(`coefficients of ${name}`);
  out.note(`${name}: ${jobs.length} signatures`);
  out.ask(
    'load',
    ...jobs.map(({ publicKey, signature, message }) =>
      concat([publicKey, signature, coefficients.bytes(16), message]),
    ),
  );
  for (let count = jobs.length; count > 2; count >>= 1) {
    out.ask('batch', 0, count);
    out.ask('batch', jobs.length - count, count);
  }
  out.ask('batch', 0, 0);
  for (const i of jobs.keys()) out.ask('is_open', i);
  const verdicts = jobs.map((_, i) => out.ask('single', i)).join('');
  const expected = jobs.map(referenceVerdict).join('');
  if (verdicts !== expected) throw new Error(`${name}: ${verdicts}, the reference says ${expected}`);
}

export function signatureVectors(): string {
  const out = new Recorder('ed25519.wasm', 'ed25519-scalar.wasm');
  const dice = new SeededRandom('embed vectors');
  out.ask('new', dice.bytes(16));
  load(out, 'RFC 8032', rfcJobs());
  load(out, 'ZIP-215', zip215Jobs(new TextEncoder().encode('Zcash')));
  const torsion = torsionSignatures(dice, 28).map((signature, i) => ({
    publicKey: smallOrderEncodings()[i % 14]!,
    message: dice.bytes(20),
    signature,
  }));
  load(out, 'small order in R', torsion);
  load(out, 'borders', borderJobs(goodJobs(dice, 1)[0]!));
  load(out, 'good', goodJobs(dice, 80, 30));
  load(
    out,
    'good and bad',
    goodJobs(dice, 80, 30).map((job, i) => (i % 7 === 3 ? mutate(dice, job) : job)),
  );
  return out.text();
}
