// Network parameters (protocol 1.9): one table of names, defaults and bounds.
// Keeps: the effective parameters are complete and in range, so the core needs no further checks. They enter the
// genesis hash, so nodes that differ in one of them never connect. Inside a node every parameter is a number; the two
// switches are booleans in JSON only.

import * as abi from '../../assembly/abi.ts';

const MAX_AMOUNT = 1e15; // total supply in micro-units
// Full grants for 200 newcomers a day, or 20 (protocol 6.11).
const TESTNET_DAILY_BUDGET = 1e13;
const MAINNET_DAILY_BUDGET = 1e12;
// A panel is drawn from three judges at least (protocol 15.8).
const MAINNET_MIN_JUDGES = 3;
const YEAR_SECS = 86_400 * 366;
const SECS = { min: 1, max: 10 * YEAR_SECS } as const;
const SWITCH = { min: 0, max: 1, isSwitch: true } as const;
const MAX_SEATS = 65_534; // seat indexes are u16, the last value means none

interface ParamRow {
  /** Position in the core's configuration. */
  index: number;
  /** If undefined, the default depends on the network. */
  default?: number;
  min: number;
  max: number;
  /** true or false in JSON. */
  isSwitch?: boolean;
  /** May differ from its default on mainnet. */
  mainnet?: boolean;
}

export const PARAMS = {
  day_secs: { index: abi.PARAM_DAY_SECS, default: 86_400, min: 1, max: YEAR_SECS },
  verification_deadline_secs: { index: abi.PARAM_VERIFICATION_DEADLINE_SECS, default: 300, ...SECS },
  max_delivery_time_secs: { index: abi.PARAM_MAX_DELIVERY_TIME_SECS, default: 600, ...SECS },
  dispute_deadline_secs: { index: abi.PARAM_DISPUTE_DEADLINE_SECS, default: 3600, ...SECS },
  challenge_ttl_secs: { index: abi.PARAM_CHALLENGE_TTL_SECS, default: 259_200, ...SECS },
  replay_submission_secs: { index: abi.PARAM_REPLAY_SUBMISSION_SECS, default: 7200, ...SECS },
  routing_exclusive_secs: { index: abi.PARAM_ROUTING_EXCLUSIVE_SECS, default: 60, ...SECS },
  recovery_delay_secs: { index: abi.PARAM_RECOVERY_DELAY_SECS, default: 86_400, ...SECS },
  faucet_cooldown_secs: { index: abi.PARAM_FAUCET_COOLDOWN_SECS, default: 86_400, ...SECS },
  faucet_amount: { index: abi.PARAM_FAUCET_AMOUNT, default: 5_000_000_000, min: 1, max: MAX_AMOUNT },
  min_task_budget: { index: abi.PARAM_MIN_TASK_BUDGET, default: 100_000, min: 1, max: MAX_AMOUNT },
  canary_rate_bp: { index: abi.PARAM_CANARY_RATE_BP, default: 0, min: 0, max: 10_000 },
  min_participants: { index: abi.PARAM_MIN_PARTICIPANTS, min: 1, max: MAX_SEATS, mainnet: true },
  allow_unsigned: { index: abi.PARAM_ALLOW_UNSIGNED, default: 0, ...SWITCH },
  legacy_open_coordination: {
    index: abi.PARAM_LEGACY_OPEN_COORDINATION,
    default: 0,
    ...SWITCH,
    mainnet: true,
  },
  silence_epochs: { index: abi.PARAM_SILENCE_EPOCHS, default: 3, min: 1, max: 1_000_000 },
  silence_secs: { index: abi.PARAM_SILENCE_SECS, default: 604_800, ...SECS },
  onboarding_daily_budget: {
    index: abi.PARAM_ONBOARDING_DAILY_BUDGET,
    min: 0,
    max: MAX_AMOUNT,
    mainnet: true,
  },
  claim_budget: { index: abi.PARAM_CLAIM_BUDGET, default: 1_000_000_000, min: 0, max: MAX_AMOUNT },
  claim_stake: { index: abi.PARAM_CLAIM_STAKE, default: 100_000_000, min: 1, max: MAX_AMOUNT },
  cancel_notice_secs: { index: abi.PARAM_CANCEL_NOTICE_SECS, default: 60, ...SECS },
  fuel_price: { index: abi.PARAM_FUEL_PRICE, default: 1_000, min: 0, max: MAX_AMOUNT },
  review_default_secs: { index: abi.PARAM_REVIEW_DEFAULT_SECS, default: 86_400, ...SECS },
  review_contract_secs: { index: abi.PARAM_REVIEW_CONTRACT_SECS, default: 300, ...SECS },
  contest_secs: { index: abi.PARAM_CONTEST_SECS, default: 86_400, ...SECS },
  row_deposit: { index: abi.PARAM_ROW_DEPOSIT, default: 100_000, min: 0, max: MAX_AMOUNT },
  first_kib: { index: abi.PARAM_FIRST_KIB, default: 32, min: 0, max: 65_535 },
  holding_per_kib: { index: abi.PARAM_HOLDING_PER_KIB, default: 10_000_000, min: 1, max: MAX_AMOUNT },
  min_judges: { index: abi.PARAM_MIN_JUDGES, min: 0, max: MAX_SEATS },
} as const satisfies Record<string, ParamRow>;

export type ParamName = keyof typeof PARAMS;
export type Params = Readonly<Record<ParamName, number>>;
export const PARAM_NAMES = Object.keys(PARAMS) as ParamName[];

/** A parameter that is unknown, out of range, or may not be changed on this chain. */
export class ParamError extends Error {
  override name = 'ParamError';
}

const rowOf = (name: ParamName): ParamRow => PARAMS[name];
const SWITCH_TEXTS: Readonly<Record<string, number>> = { true: 1, 1: 1, on: 1, false: 0, 0: 0, off: 0 };

/** The number of a JSON value or of an environment variable's text. */
function numberOf(row: ParamRow, value: unknown): number | undefined {
  if (row.isSwitch) {
    if (typeof value === 'boolean') return value ? 1 : 0;
    return typeof value === 'string' && Object.hasOwn(SWITCH_TEXTS, value) ? SWITCH_TEXTS[value] : undefined;
  }
  if (typeof value === 'number') return value;
  return typeof value === 'string' && /^[0-9]{1,16}$/.test(value) ? Number(value) : undefined;
}

/** Name and number of one changed parameter. Throws ParamError when unknown or out of range. */
export function readParam(name: string, value: unknown): { name: ParamName; value: number } {
  if (!Object.hasOwn(PARAMS, name)) throw new ParamError(`unknown network parameter: ${name}`);
  const known = name as ParamName;
  const row = rowOf(known);
  const number = numberOf(row, value);
  if (number === undefined || !Number.isSafeInteger(number) || number < row.min || number > row.max) {
    const range = row.isSwitch ? 'true or false' : `an integer from ${row.min} to ${row.max}`;
    throw new ParamError(`network parameter ${name} must be ${range}`);
  }
  return { name: known, value: number };
}

interface ParamSources {
  testnet: boolean;
  /** Number of manifest seats. */
  seats: number;
  /** A chain that is made for unsigned writes (`--no-auth`), which only one of a single seat can be. */
  isOpenMode?: boolean;
  /** `params` of the manifest. */
  manifestParams?: Readonly<Record<string, unknown>>;
  /**
   * From environment or flags; they win over the manifest. Names in either case, values as text or as in
   * JSON.
   */
  overrides?: Readonly<Record<string, unknown>>;
}

function defaultOf(name: ParamName, { testnet, seats, isOpenMode }: ParamSources): number {
  if (name === 'min_participants') return Math.min(3, seats);
  if (name === 'allow_unsigned' && testnet && seats === 1 && isOpenMode) return 1;
  if (name === 'onboarding_daily_budget') return testnet ? TESTNET_DAILY_BUDGET : MAINNET_DAILY_BUDGET;
  // First steps on a testnet need no judge.
  if (name === 'min_judges') return testnet ? 0 : MAINNET_MIN_JUDGES;
  return rowOf(name).default!;
}

/**
 * The complete parameters in force. Throws ParamError: unknown name, value out of range,
 * min_participants above the seats, unsigned writes with several seats, a change that mainnet does not allow.
 */
export function effectiveParams(sources: ParamSources): Params {
  const params = {} as Record<ParamName, number>;
  for (const name of PARAM_NAMES) params[name] = defaultOf(name, sources);
  const changes = [
    ...Object.entries(sources.manifestParams ?? {}),
    ...Object.entries(sources.overrides ?? {}).map(([name, value]) => [name.toLowerCase(), value] as const),
  ];
  for (const [given, sent] of changes) {
    const { name, value } = readParam(given, sent);
    if (!sources.testnet && !rowOf(name).mainnet && value !== defaultOf(name, sources)) {
      throw new ParamError(`network parameter ${name} cannot be changed on mainnet`);
    }
    params[name] = value;
  }
  if (params.min_participants > sources.seats) {
    throw new ParamError(`min_participants ${params.min_participants} is above the ${sources.seats} seats`);
  }
  for (const name of ['allow_unsigned', 'legacy_open_coordination'] as const) {
    // The word of one seat would bind the agents of all others.
    if (params[name] === 1 && sources.seats > 1)
      throw new ParamError(`network parameter ${name} needs a network of one seat, not of ${sources.seats}`);
  }
  if (sources.isOpenMode && params.allow_unsigned !== 1)
    throw new ParamError(
      '--no-auth needs a network of one seat whose parameters do not forbid allow_unsigned',
    );
  return params;
}

/** The JSON form, for /v1/network/state and for the genesis hash: switches are booleans. */
export function paramsJson(params: Params): Record<ParamName, number | boolean> {
  const shown = {} as Record<ParamName, number | boolean>;
  for (const name of PARAM_NAMES) shown[name] = rowOf(name).isSwitch ? params[name] === 1 : params[name];
  return shown;
}

/** The words of the core's configuration, in PARAM_* order. */
export function paramWords(params: Params): bigint[] {
  const words = new Array<bigint>(abi.PARAM_COUNT).fill(0n);
  for (const name of PARAM_NAMES) words[rowOf(name).index] = BigInt(params[name]);
  return words;
}
