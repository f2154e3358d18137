// The catalogue of writes and the core: each operation has its opcode, takes API keys of the same scope in both, and is
// known to the model and to the differential test.

import { describe, expect, it } from 'vitest';
import * as abi from '../../assembly/abi.ts';
import { OPERATIONS, type Operation } from '../../host/wire/operations.ts';
import { command, toRecord } from '../model/command.ts';
import { Net } from './fixture.ts';
import { REQUIRED } from './reached.ts';

const NUMBERS = abi as Readonly<Record<string, number | bigint>>;
const ROWS = Object.entries<Operation>(OPERATIONS).map(([name, { scope }]) => {
  const constant = `OP_${name.replace(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase()}`;
  return { name, scope, constant, opcode: Number(NUMBERS[constant]) };
});

/** An objection needs an applicant that passed probation, which no random world has: test/core/objections.test.ts. */
const IN_DIRECTED_TESTS: readonly number[] = [abi.OP_VALIDATOR_OBJECT];

describe('operations', () => {
  it('are the opcodes of the core', () => {
    const opcodes = Object.keys(abi).filter(
      (name) => name.startsWith('OP_') && Number(NUMBERS[name]) >= abi.OP_REGISTER,
    );
    expect(ROWS.map((row) => row.constant).sort()).toEqual(opcodes.sort());
  });

  it('have records, and must occur in the differential test', () => {
    for (const { name, opcode } of ROWS) {
      const record = toRecord(command(opcode, { id: 'a' }));
      expect(new DataView(record.buffer).getUint16(0, true), name).toBe(opcode);
      if (!IN_DIRECTED_TESTS.includes(opcode)) expect(REQUIRED, name).toContain(`op ${opcode}`);
    }
  });

  it('take API keys of the scope in the catalogue', () => {
    const net = new Net();
    const newKey = { id: 5n, hash: new Uint8Array(32), scopes: 0, hourlyLimit: 9, expires: 0, seat: 0 };
    net.run([net.register('a'), net.cmd(abi.OP_KEY_CREATE, 'a', { newKey })]);
    for (const { name, scope, opcode } of ROWS) {
      const by = { id: 'a', auth: abi.AUTH_API_KEY, keyId: 5n, seat: 0, newKey };
      const [tx] = net.run([net.cmd(opcode, 'a', by)]).txs;
      const expected =
        scope === undefined
          ? { name, code: abi.AUTH_REQUIRED }
          : { name, code: abi.INSUFFICIENT_SCOPE, scope: NUMBERS[`SCOPE_${scope.toUpperCase()}`] };
      const needed = tx!.code === abi.INSUFFICIENT_SCOPE ? { scope: Number(tx!.words[0]) } : {};
      expect({ name, code: tx!.code, ...needed }).toEqual(expected);
    }
  });
});
