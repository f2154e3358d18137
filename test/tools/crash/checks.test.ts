// The crash test's own checks must be able to fail: a healthy node, and books that claim what never happened.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { checkAfterRestart } from '../../../tools/crash/checks.ts';
import { type Row, resentOutcome, Writer } from '../../../tools/crash/writer.ts';
import { NodeProcess } from '../../../tools/load/node-process.ts';
import { SeededRandom } from '../../../tools/load/seeded-random.ts';
import { newSigner, signedWrite } from '../../../tools/load/signed-writes.ts';

const CHAIN = 'vws-testnet-1';
const dir = mkdtempSync(join(tmpdir(), 'vws-crash-checks-'));
let node: NodeProcess;

beforeAll(async () => {
  node = await NodeProcess.start({ dataDir: join(dir, 'data') });
});
afterAll(async () => {
  await node?.kill();
  rmSync(dir, { recursive: true, force: true });
});

async function joined(): Promise<Writer> {
  const writer = new Writer(CHAIN, new SeededRandom(1));
  await writer.join(node.port);
  expect(writer.faults).toEqual([]);
  return writer;
}

async function stakeRow(writer: Writer, state: Row['state']): Promise<Row> {
  const write = await signedWrite(writer.signer, CHAIN, '/v1/stake', { amount: 3 });
  return { ...write, kind: 'stake', amount: 3, agent: writer.agent, state };
}

const check = (writer: Writer) => checkAfterRestart(node, [writer], [0], new SeededRandom(2), true);

describe('the checks after a restart', () => {
  it('find no fault with a node that did everything', async () => {
    expect((await check(await joined())).faults).toEqual([]);
  });

  it('resend an unknown write, and count it once', async () => {
    const writer = await joined();
    writer.rows.push(await stakeRow(writer, 'unknown'));
    const found = await check(writer);
    expect(found).toEqual({ faults: [], executedBefore: 0, executedNow: 1 });
    writer.rows[1]!.state = 'unknown';
    expect(await check(writer)).toEqual({ faults: [], executedBefore: 1, executedNow: 0 });
  });

  it('detect a missing acknowledged write', async () => {
    const writer = await joined();
    writer.rows.push(await stakeRow(writer, 'acknowledged'));
    const { faults } = await check(writer);
    expect(faults.some((f) => f.includes('event_not_found'))).toBe(true);
    expect(faults.some((f) => f.includes('was executed and resent'))).toBe(true);
  });

  it('detect a write that was applied twice', async () => {
    const writer = await joined();
    const row = await stakeRow(writer, 'unknown');
    writer.rows.push(row);
    await check(writer);
    writer.rows.push({ ...(await stakeRow(writer, 'unknown')), amount: 0 });
    const { faults } = await check(writer);
    expect(faults).toHaveLength(1);
    expect(faults[0]).toContain('staked 10000000006');
  });
});

describe('the answer to a repetition', () => {
  const answer = (status: number, body: object, kind: Row['kind'] = 'stake') =>
    resentOutcome({ kind } as Row, status, Buffer.from(JSON.stringify(body)));
  const done = { code: 'DUPLICATE_TX', details: { executed: true, status: 200 } };

  it.each([
    [200, {}, 'stake', 'now'],
    [409, done, 'stake', 'before'],
    [409, { code: 'already_registered' }, 'register', 'before'],
    [409, { ...done, details: { executed: true, status: 402 } }, 'stake', undefined],
    [409, { code: 'DUPLICATE_TX', details: { executed: false } }, 'stake', undefined],
    [409, done, 'register', undefined],
    [402, { code: 'insufficient_balance' }, 'stake', undefined],
    [503, { code: 'not_ready' }, 'stake', undefined],
  ] as const)('%d %o of a %s: %s', (status, body, kind, outcome) => {
    expect(answer(status, body, kind)).toBe(outcome);
  });
});

it('signers are new each time', () => {
  expect(newSigner().publicKeyHex).not.toBe(newSigner().publicKeyHex);
});
