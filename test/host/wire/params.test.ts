import { describe, expect, test } from 'vitest';
import * as abi from '../../../assembly/abi.ts';
import type { ParamName } from '../../../host/wire/params.ts';
import {
  effectiveParams,
  PARAM_NAMES,
  PARAMS,
  ParamError,
  paramsJson,
  paramWords,
} from '../../../host/wire/params.ts';

const testnet = { testnet: true, seats: 4 };
const mainnet = { testnet: false, seats: 4 };

test('the table covers the core configuration exactly, name by name', () => {
  expect(PARAM_NAMES.map((name) => PARAMS[name].index).sort((a, b) => a - b)).toEqual(
    Array.from({ length: abi.PARAM_COUNT }, (_, i) => i),
  );
  const constants = abi as unknown as Record<string, number>;
  for (const name of PARAM_NAMES) expect(PARAMS[name].index).toBe(constants[`PARAM_${name.toUpperCase()}`]);
});

test('the defaults of protocol 1.9', () => {
  expect(paramsJson(effectiveParams(testnet))).toEqual({
    day_secs: 86_400,
    verification_deadline_secs: 300,
    max_delivery_time_secs: 600,
    dispute_deadline_secs: 3600,
    challenge_ttl_secs: 259_200,
    replay_submission_secs: 7200,
    routing_exclusive_secs: 60,
    recovery_delay_secs: 86_400,
    faucet_cooldown_secs: 86_400,
    faucet_amount: 5_000_000_000,
    min_task_budget: 100_000,
    canary_rate_bp: 0,
    min_participants: 3,
    allow_unsigned: false,
    legacy_open_coordination: false,
    silence_epochs: 3,
    silence_secs: 604_800,
    onboarding_daily_budget: 10_000_000_000_000,
    claim_budget: 1_000_000_000,
    claim_stake: 100_000_000,
    cancel_notice_secs: 60,
    fuel_price: 1_000,
    contest_secs: 86_400,
    review_default_secs: 86_400,
    review_contract_secs: 300,
    row_deposit: 100_000,
    first_kib: 32,
    holding_per_kib: 10_000_000,
    min_judges: 0,
  });
  expect(effectiveParams(mainnet).onboarding_daily_budget).toBe(1_000_000_000_000);
  expect(effectiveParams(mainnet).min_judges).toBe(3);
  const participants = [1, 2, 3, 9].map(
    (seats) => effectiveParams({ testnet: true, seats }).min_participants,
  );
  expect(participants).toEqual([1, 2, 3, 3]);
});

test('overrides win over the manifest, in either case of name and as texts', () => {
  const params = effectiveParams({
    ...testnet,
    seats: 1,
    manifestParams: { day_secs: 60, faucet_amount: 7, allow_unsigned: false },
    overrides: { DAY_SECS: '30', legacy_open_coordination: 'on', min_participants: '1' },
  });
  expect(params).toMatchObject({
    day_secs: 30,
    faucet_amount: 7,
    allow_unsigned: 0,
    legacy_open_coordination: 1,
    min_participants: 1,
  });
  const words = paramWords(params);
  expect(words.length).toBe(abi.PARAM_COUNT);
  expect([words[abi.PARAM_DAY_SECS], words[abi.PARAM_FAUCET_AMOUNT]]).toEqual([30n, 7n]);
  expect(words[abi.PARAM_LEGACY_OPEN_COORDINATION]).toBe(1n);
});

test('a chain of one seat that is made for open mode allows unsigned writes, and no other (1.9)', () => {
  const of = (testnet: boolean, seats: number, isOpenMode: boolean, manifestParams = {}) =>
    effectiveParams({ testnet, seats, isOpenMode, manifestParams }).allow_unsigned;
  expect([of(true, 1, true), of(true, 1, false), of(true, 4, false), of(false, 1, false)]).toEqual([
    1, 0, 0, 0,
  ]);
  expect(of(true, 1, false, { allow_unsigned: true })).toBe(1);
  expect(() => of(true, 4, true)).toThrow('--no-auth needs a network of one seat');
  expect(() => of(true, 1, true, { allow_unsigned: false })).toThrow('--no-auth needs');
  for (const name of ['allow_unsigned', 'legacy_open_coordination'])
    expect(() => of(true, 2, false, { [name]: true })).toThrow(
      `${name} needs a network of one seat, not of 2`,
    );
});

describe('refused', () => {
  test.each<[ParamName | string, unknown]>([
    ['day', 1],
    ['__proto__', 1],
    ['day_secs', 0],
    ['day_secs', -1],
    ['day_secs', 1.5],
    ['day_secs', '1.5'],
    ['day_secs', ''],
    ['day_secs', true],
    ['day_secs', null],
    ['faucet_amount', 1_000_000_000_000_001],
    ['canary_rate_bp', 10_001],
    ['min_participants', 0],
    ['min_participants', 5],
    ['allow_unsigned', 'yes'],
    ['allow_unsigned', 1],
    ['allow_unsigned', 'constructor'],
  ])('%s = %s', (name, value) => {
    expect(() => effectiveParams({ ...testnet, overrides: Object.fromEntries([[name, value]]) })).toThrow(
      ParamError,
    );
  });

  test('on mainnet every change except three', () => {
    const free = ['min_participants', 'legacy_open_coordination', 'onboarding_daily_budget'];
    for (const name of PARAM_NAMES) {
      const isSwitch = name === 'allow_unsigned' || name === 'legacy_open_coordination';
      const seats = isSwitch ? 1 : 4;
      const change = () =>
        effectiveParams({ testnet: false, seats, overrides: { [name]: isSwitch ? 'true' : '2' } });
      if (free.includes(name)) expect(change).not.toThrow();
      else expect(change, name).toThrow(ParamError);
    }
    expect(() => effectiveParams({ ...mainnet, manifestParams: { day_secs: 86_400 } })).not.toThrow();
  });
});
