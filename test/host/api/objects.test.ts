import { describe, expect, it } from 'vitest';
import { checkObject, schemaOf, typeSchema } from '../../../host/api/object-schema.ts';
import type { ObjectFields } from '../../../host/api/object-types.ts';
import { OBJECTS, type ObjectName } from '../../../host/api/objects.ts';

const NAMES = Object.keys(OBJECTS) as ObjectName[];
const HASH = 'a'.repeat(64);

/** A value of a type, with or without optional fields. */
function sample(type: string, isFull: boolean): unknown {
  if (type.endsWith('[]')) return isFull ? [sample(type.slice(0, -2), isFull)] : [];
  const entry = /^map<(.+)>$/.exec(type)?.[1];
  if (entry) return isFull ? { one: sample(entry, isFull) } : {};
  const scalars: Record<string, unknown> = { str: 'x', bool: true, num: 1.5, obj: {}, any: 1, hex64: HASH };
  if (type === 'hex128') return HASH + HASH;
  if (type in scalars) return scalars[type];
  if (!(type in OBJECTS)) return type === 'ratio' ? 0.5 : 7;
  const fields: ObjectFields = OBJECTS[type as ObjectName];
  const shown = Object.entries(fields).filter(([, [, presence]]) => isFull || presence === 'A');
  return Object.fromEntries(shown.map(([name, [t]]) => [name, sample(t, isFull)]));
}

describe('the table of objects (protocol 3)', () => {
  it('names only types that exist', () => {
    for (const name of NAMES) {
      const fields: ObjectFields = OBJECTS[name];
      for (const [type] of Object.values(fields)) expect(() => typeSchema(type)).not.toThrow();
    }
    expect(() => typeSchema('Nothing')).toThrow();
  });

  it('accepts every object with and without its optional fields', () => {
    for (const name of NAMES) {
      expect(checkObject(name, sample(name, false))).toEqual([]);
      expect(checkObject(name, sample(name, true))).toEqual([]);
      expect(checkObject(`${name}[]`, [sample(name, true)])).toEqual([]);
    }
  });

  it('requires each field that is always present, and accepts no null', () => {
    for (const name of NAMES) {
      const fields: ObjectFields = OBJECTS[name];
      for (const [field, [type, presence]] of Object.entries(fields)) {
        const value = sample(name, true) as Record<string, unknown>;
        const without = { ...value, [field]: undefined };
        expect(checkObject(name, without)).toEqual(presence === 'A' ? [`${name}.${field} is missing`] : []);
        expect(checkObject(name, { ...value, [field]: null }), `${name}.${field}: ${type}`).toHaveLength(1);
      }
    }
  });

  it('finds wrong types, bounds, patterns and unknown fields', () => {
    const balance = sample('Balance', true) as Record<string, unknown>;
    for (const bad of ['1', 1.5, -1, 2 ** 60, true, {}, []]) {
      expect(checkObject('Balance', { ...balance, balance: bad })).toHaveLength(1);
    }
    expect(checkObject('Balance', { ...balance, more: 1 })).toEqual(['Balance.more is not in the table']);
    expect(checkObject('Balance', [])).toEqual(['Balance is not an object']);
    expect(checkObject('Balance[]', {})).toEqual(['Balance[] is not a list']);
    expect(checkObject('DagTips', { tips: [HASH.toUpperCase()] })[0]).toContain('DagTips.tips[0]');
    const row = sample('RankingRow', true) as Record<string, unknown>;
    expect(checkObject('RankingRow', { ...row, avg_score: 1.01 })).toHaveLength(1);
    expect(checkObject('RankingRow', { ...row, overall_score: 87.25 })).toEqual([]);
    const validator = sample('Validator', true) as Record<string, unknown>;
    expect(checkObject('Validator', { ...validator, calibration: { code: { signals: 1 } } })).toHaveLength(2);
  });

  it('generates schemas with the always present fields required', () => {
    expect(schemaOf('Address')).toMatchObject({
      type: 'object',
      required: ['agent_id', 'address'],
      properties: { agent_id: { type: 'string' } },
    });
    expect(schemaOf('Event').properties).toMatchObject({
      votes: { $ref: '#/components/schemas/Votes' },
      voters: { type: 'array', items: { $ref: '#/components/schemas/Voter' } },
    });
    expect(schemaOf('Event').required).not.toContain('votes');
  });
});
