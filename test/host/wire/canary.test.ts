// What binds the task of a canary to one answer (protocol 7.7).

import { describe, expect, it } from 'vitest';
import { fromUtf8, toHex, utf8 } from '../../../host/wire/bytes.ts';
import { type CanaryAnswer, canaryCommitment, canaryNonce, isPostedWith } from '../../../host/wire/canary.ts';
import { sha256Hex } from '../../../host/wire/hash.ts';
import { taskId } from '../../../host/wire/ids.ts';
import { parseOperation } from '../../../host/wire/operations.ts';
import { txId, txSignBytes } from '../../../host/wire/tx.ts';

const SALT = new Uint8Array(32).fill(7);
const GOOD: CanaryAnswer = { type: 'known_good', truth: true, salt: SALT };
const OTHERS: CanaryAnswer[] = [
  { ...GOOD, truth: false },
  { ...GOOD, type: 'edge_case' },
  { ...GOOD, salt: new Uint8Array(32).fill(8) },
];

/** Sign bytes of a request, and the task that it posts. */
function posted(nonce: string, path = '/v1/tasks'): { posting: string; task: string } {
  const times = { createdAt: 1_800_000_000, expiresAt: 1_800_000_060 };
  const tx = { chainId: 'vws-testnet-1', actor: 'ab'.repeat(32), ...times, nonce };
  const bytes = txSignBytes(tx, 'POST', path, sha256Hex('body'));
  return { posting: fromUtf8(bytes), task: taskId(toHex(txId(bytes))) };
}

const reveal = (task_id: string, posting: string, { type, truth, salt }: CanaryAnswer) =>
  parseOperation({ name: 'canaryReveal', path: {} }, { task_id, posting, type, truth, salt: toHex(salt) });

describe('a canary', () => {
  it('is committed to by the hash that assembly/abi.ts names', () => {
    // printf 'canary:000102030405060708090a0b0c0d0e0f:2:0:0707...07' | sha256sum, with 32 bytes 07
    const task = '000102030405060708090a0b0c0d0e0f';
    const bad: CanaryAnswer = { type: 'known_bad', truth: false, salt: SALT };
    const hash = '4f1263460e6f2532d04e422707652fbde0d7aa7130ae9c6eef3cc13ad7ddd970';
    expect(canaryCommitment(task, bad)).toBe(hash);
    expect(canaryCommitment(task, { ...bad, truth: true })).not.toBe(hash);
  });

  it('has the answer that its task was posted with, and no other, whatever was committed', () => {
    const { posting, task } = posted(canaryNonce(GOOD));
    expect(canaryNonce(GOOD)).toBe(sha256Hex(utf8(`canary-nonce:1:1:${'07'.repeat(32)}`)).slice(0, 32));
    expect(isPostedWith(posting, task, GOOD)).toBe(true);
    expect(reveal(task, posting, GOOD).args).toMatchObject({ task_id: task, truth: true });
    for (const other of OTHERS) {
      expect(isPostedWith(posting, task, other)).toBe(false);
      expect(() => reveal(task, posting, other)).toThrow(/posting/);
    }
  });

  it('is no task that was posted otherwise', () => {
    const { posting, task } = posted(canaryNonce(GOOD));
    const plain = posted('00'.repeat(16));
    expect(isPostedWith(posting, plain.task, GOOD)).toBe(false);
    expect(isPostedWith(plain.posting, plain.task, GOOD)).toBe(false);
    const part = posted(canaryNonce(GOOD), `/v1/tasks/${task}/subtask`);
    expect(isPostedWith(part.posting, part.task, GOOD)).toBe(false);
    expect(isPostedWith(`${posting} `, task, GOOD)).toBe(false);
  });
});
