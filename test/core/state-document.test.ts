// The state as assembly/README.md describes it is the state of the core: whoever proves a balance from the document alone finds it.

import { expect, test } from 'vitest';
import * as abi from '../../assembly/abi.ts';
import { TABLES } from '../../host/core/core.ts';
import { type ReadState, readRows, readValidators } from '../../host/core/state-rows.ts';
import { VALIDATOR_STATUS } from '../../host/core/validator-names.ts';
import { Core, SMALL } from './driver.ts';
import { config, key, Net, TOKEN } from './fixture.ts';
import { CAPACITIES, type StateField, stateBytes, stateFields, stateTables } from './state-document.ts';

const bytesOf = (capacities: number[]): number => new Core(config({ capacities })).stateBytes;

test('the tables have the documented sizes, whatever the capacities', () => {
  expect(CAPACITIES).toEqual(TABLES);
  const tables = stateTables();
  expect(bytesOf(SMALL)).toBe(stateBytes(tables, SMALL));
  for (const i of SMALL.keys()) {
    const larger = SMALL.map((rows, table) => (table === i ? rows + 1024 : rows));
    expect(bytesOf(larger), CAPACITIES[i]).toBe(stateBytes(tables, larger));
  }
});

/** What the document says is at a field of a row. */
function valueAt(row: Uint8Array, { at, type }: StateField): number | string {
  const view = new DataView(row.buffer, row.byteOffset, row.length);
  if (type === 'u16') return view.getUint16(at, true);
  if (type === 'u32') return view.getUint32(at, true);
  if (type === 'u64') return Number(view.getBigUint64(at, true));
  const bytes = /^(?:key|text)\[(\d+)\]$/.exec(type);
  if (!bytes) throw new Error(`type ${type}`);
  const found = Buffer.from(row.subarray(at, at + Number(bytes[1])));
  return type.startsWith('key') ? found.toString('hex') : found.toString().replace(/\0*$/, '');
}

/** A state, read by the document alone. */
class Documented {
  readonly #state: Uint8Array;
  readonly #fields = stateFields();
  constructor(state: Uint8Array) {
    this.#state = state;
  }
  value(row: string, field: string, index = 0): number | string {
    const found = this.#fields.find((one) => one.row === row && one.field === field);
    if (!found) throw new Error(`no field ${field} of ${row}`);
    const tables = stateTables();
    const { parts } = tables.find(({ name }) => name === row)!;
    const at = stateBytes(tables, SMALL, row) + index * parts[0]!.bytes;
    return valueAt(this.#state.subarray(at, at + parts[0]!.bytes), found);
  }
}

test('rows of agents, records, categories and validators are where the document says', () => {
  const net = new Net([{}, { stake: 77n * TOKEN }]);
  const sent = net.transfer('a', 'b', TOKEN);
  net.run([net.register('a', 1000n * TOKEN), net.register('b'), sent, net.generation('b', 5n)]);
  net.run([net.verify('op0', sent, true), net.verify('op1', sent, true)]);
  const state = net.core.state.slice();
  const documented = new Documented(state);
  const read: ReadState = (at, bytes) => state.subarray(at, at + bytes);

  const agents = documented.value('header', 'agents') as number;
  expect(agents).toBe(4);
  for (let agent = 0; agent < agents; agent++) {
    const said = (field: string): number | string => documented.value('agents', field, agent);
    const id = said('key') as string;
    const { account, ...of } = readRows(read, 'agent', agent, Buffer.from(id, 'hex'))!;
    expect(of).toEqual({});
    const { public_key: publicKey = '0'.repeat(64), ...members } = account!;
    expect(said('public_key')).toBe(publicKey);
    for (const [member, value] of Object.entries(members)) expect(said(member), member).toBe(value);
    const { reputation } = readRows(read, 'reputation', agent, Buffer.from(id, 'hex'))!;
    const records: Record<string, number | string>[] = [];
    for (
      let link = agent + 1;
      link !== 0;
      link = documented.value('reputation records', 'next', link - 1) as number
    ) {
      const record = (field: string): number | string =>
        documented.value('reputation records', field, link - 1);
      if (record('tasks_completed') === 0 && record('tasks_failed') === 0) continue;
      const shown = Object.keys(reputation!.records[records.length] ?? {}).filter(
        (name) => name !== 'category',
      );
      records.push({
        category: documented.value('categories', 'name', record('category') as number),
        ...Object.fromEntries(shown.map((name) => [name, record(name)])),
      });
    }
    expect(records).toEqual(reputation!.records);
    const { validator } = readRows(read, 'validator', agent, Buffer.from(id, 'hex'))!;
    expect(said('validator') !== 0).toBe(validator !== undefined);
  }
  expect(documented.value('agents', 'key', 2)).toBe(key('a'));
  expect(documented.value('agents', 'balance', 2)).toBeGreaterThan(0);
  expect(documented.value('reputation records', 'tasks_completed', 2)).toBe(1);

  const count = documented.value('header', 'validators') as number;
  const { validators } = readValidators(read, 0, count);
  expect(validators.map(({ id }) => id)).toEqual(['v0', 'v1']);
  for (const [index, { agent_key: agentKey, staked_amount: staked, ...members }] of validators.entries()) {
    const agent = documented.value('validators', 'agent', index) as number;
    expect(documented.value('agents', 'key', agent)).toBe(agentKey);
    expect(documented.value('agents', 'staked_amount', agent)).toBe(staked);
    expect(documented.value('agents', 'validator', agent)).toBe(index + 1);
    for (const [member, value] of Object.entries(members)) {
      const found = documented.value('validators', member, index);
      const said =
        member === 'status'
          ? VALIDATOR_STATUS[found as number]
          : typeof value === 'boolean'
            ? found === 1
            : found;
      expect(said, member).toBe(value);
    }
  }
  expect(state.length % abi.LEAF_BYTES).toBe(0);
});
