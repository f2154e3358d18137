// Commitments to votes on disputes: the vectors, which sdk/python/tests/test_votes.py has too.

import { expect, it } from 'vitest';
import { voteCommitment } from '../../../host/wire/vote-commitment.ts';

const [EVENT, KEY, SALT] = ['ab', '11', '5a'].map((byte) => byte.repeat(32)) as [string, string, string];

it.each([
  [true, undefined, undefined, '2f8a70faca55d2a7e01076903aed2bcdaa1ba00c45bfbd4915dbc46c7b7e8e08'],
  [true, 4000, undefined, '57d23ed7ae528758d3fe0d4c0fa21a48655a9c0978997aa1ea7feda08d08bc78'],
  [true, 10000, undefined, '2f8a70faca55d2a7e01076903aed2bcdaa1ba00c45bfbd4915dbc46c7b7e8e08'],
  [false, undefined, undefined, '428478950b73fe9940e68ca2117bf894fca9edaf4817d9e1edbdadd96a392429'],
  [false, undefined, 'fraud', '64f6c8db770576ec21935d4337cb336eed1ef8a88f31b123e08e15e520b4514e'],
] as const)('verdict %s, share %s, ground %s', (verdict, worker_share_bp, ground, commitment) => {
  expect(voteCommitment(EVENT, KEY, { verdict, worker_share_bp, ground }, SALT)).toBe(commitment);
  expect(voteCommitment(EVENT.toUpperCase(), KEY, { verdict, worker_share_bp, ground }, SALT)).toBe(
    commitment,
  );
});
