// The validator manifest (protocol 12.3): who holds which seat at genesis.
// Keeps: a manifest that passes is complete, in range and free of duplicates, so genesis cannot fail on it. Its JCS
// form enters the genesis hash exactly as given, with no defaults filled in. Seats are numbered in manifest order and
// keep their numbers for ever.

import { fromHex, isLowerHex } from './bytes.ts';
import { MAX_CATEGORY_BYTES } from './category.ts';
import { utf8Length } from './fields.ts';
import { isIdText } from './ids.ts';
import { checkJson } from './json.ts';
import { readParam } from './params.ts';
import { isAcceptableKey } from './public-key.ts';

/** Genesis balance of genesis:rewards in micro-units; the stakes come out of it (protocol 6.1). */
export const GENESIS_REWARDS_MICRO = 200_000_000_000_000;
/** Genesis stake in micro-units of the only seat of a network without manifest (protocol 6.1). */
export const SINGLE_SEAT_STAKE_MICRO = 25_000_000_000;
/** Reputation baseline, in basis points, of a seat whose entry gives none. */
const DEFAULT_BASELINE_BP = 5000;
const MAX_ENTRIES = 4096; // the core's default table of validators

const INITIAL_STATUSES = ['active', 'pending_join', 'probationary'] as const;
export type InitialStatus = (typeof INITIAL_STATUSES)[number];

/** One entry of the file, unchanged. */
export interface ManifestEntry {
  validator_id: string;
  operator_agent_id: string;
  consensus_public_key: string;
  key_epoch: number;
  /** Micro-units. */
  bonded_stake: number;
  initial_status: InitialStatus;
  /** Basis points. */
  reputation_baseline?: number;
  categories?: string[];
}

/** A checked manifest, unchanged from the file. */
export interface Manifest {
  entries: ManifestEntry[];
  params?: Record<string, number | boolean>;
  /** Unix seconds. */
  launch_time?: number;
}

/** A manifest is invalid; the message says where. */
export class ManifestError extends Error {
  override name = 'ManifestError';
}

/** A seat with defaults filled in and keys as bytes. */
export interface Seat {
  index: number;
  validatorId: string;
  /** hex64 of the operator's key. */
  operatorId: string;
  operatorKey: Uint8Array;
  consensusKey: Uint8Array;
  keyEpoch: number;
  bondedStakeMicro: number;
  initialStatus: InitialStatus;
  baselineBp: number;
  /** Empty: all. */
  categories: readonly string[];
}

type Check = (value: unknown) => string | undefined;
type Shape = Readonly<Record<string, { check: Check; optional?: boolean }>>;

const integer =
  (min: number, max: number): Check =>
  (value) =>
    Number.isSafeInteger(value) && (value as number) >= min && (value as number) <= max
      ? undefined
      : `must be an integer from ${min} to ${max}`;

const publicKey: Check = (value) => {
  if (typeof value !== 'string' || !isLowerHex(value, 64)) return 'must be 64 lower-case hex characters';
  return isAcceptableKey(fromHex(value)!) ? undefined : 'is not an acceptable Ed25519 public key';
};

const categories: Check = (value) => {
  if (!Array.isArray(value)) return 'must be a list of category names';
  for (const item of value) {
    const isName = typeof item === 'string' && item !== '' && utf8Length(item) <= MAX_CATEGORY_BYTES;
    if (!isName || item !== item.trim().toLowerCase()) {
      return `holds a name that is not 1 to ${MAX_CATEGORY_BYTES} bytes, trimmed and in lower case`;
    }
  }
  return new Set(value).size === value.length ? undefined : 'holds a name twice';
};

const params: Check = (value) => {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return 'must be an object';
  for (const [name, given] of Object.entries(value)) {
    if (typeof given === 'string') return `${name} must not be a string`;
    try {
      readParam(name, given);
    } catch (error) {
      return (error as Error).message;
    }
  }
  return undefined;
};

const ENTRY: Shape = {
  validator_id: {
    check: (value) =>
      typeof value === 'string' && isIdText(value) ? undefined : 'must be 1 to 64 of A-Z a-z 0-9 . _ : / -',
  },
  operator_agent_id: { check: publicKey },
  consensus_public_key: { check: publicKey },
  key_epoch: { check: integer(1, 0xffff_ffff) },
  bonded_stake: { check: integer(1, GENESIS_REWARDS_MICRO) },
  initial_status: {
    check: (value) =>
      INITIAL_STATUSES.includes(value as InitialStatus)
        ? undefined
        : `must be one of ${INITIAL_STATUSES.join(', ')}`,
  },
  reputation_baseline: { check: integer(0, 10_000), optional: true },
  categories: { check: categories, optional: true },
};

const MANIFEST: Shape = {
  entries: {
    check: (value) =>
      Array.isArray(value) && value.length >= 1 && value.length <= MAX_ENTRIES
        ? undefined
        : `must be a list of 1 to ${MAX_ENTRIES} entries`,
  },
  params: { check: params, optional: true },
  launch_time: { check: integer(1, 9_999_999_999), optional: true },
};

/** Checks an object against its shape; every message begins with `where`. */
function checkShape(shape: Shape, value: unknown, where: string): void {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new ManifestError(`${where} must be an object`);
  }
  const object = value as Record<string, unknown>;
  for (const name of Object.keys(object)) {
    if (!Object.hasOwn(shape, name)) throw new ManifestError(`${where}: unknown member ${name}`);
  }
  for (const [name, { check, optional }] of Object.entries(shape)) {
    if (!Object.hasOwn(object, name)) {
      if (optional) continue;
      throw new ManifestError(`${where}: ${name} is missing`);
    }
    const fault = check(object[name]);
    if (fault) throw new ManifestError(`${where}: ${name} ${fault}`);
  }
}

function checkUnique(entries: readonly ManifestEntry[], name: keyof ManifestEntry): void {
  const seen = new Set<unknown>();
  for (const entry of entries) {
    if (seen.has(entry[name])) throw new ManifestError(`manifest: ${name} ${entry[name]} occurs twice`);
    seen.add(entry[name]);
  }
}

/** Checks a parsed manifest as a whole. Errors: ManifestError. */
export function checkManifest(value: unknown): Manifest {
  try {
    checkJson(value); // a value without a canonical form could not be hashed at genesis
  } catch (cause) {
    throw new ManifestError(`manifest: ${(cause as Error).message}`, { cause });
  }
  checkShape(MANIFEST, value, 'manifest');
  const manifest = value as Manifest;
  for (const [i, entry] of manifest.entries.entries()) checkShape(ENTRY, entry, `manifest: entries[${i}]`);
  checkUnique(manifest.entries, 'validator_id');
  checkUnique(manifest.entries, 'operator_agent_id');
  checkUnique(manifest.entries, 'consensus_public_key');
  // Stopping as soon as the sum is too large keeps it below 2^53.
  let stakeMicro = 0;
  for (const entry of manifest.entries) {
    stakeMicro += entry.bonded_stake;
    if (stakeMicro > GENESIS_REWARDS_MICRO) {
      throw new ManifestError('manifest: total bonded_stake is above genesis:rewards');
    }
  }
  if (!manifest.entries.some((entry) => entry.initial_status === 'active')) {
    throw new ManifestError('manifest: no entry is active');
  }
  return manifest;
}

/** Parses and checks the text of a manifest file. Errors: ManifestError. */
export function parseManifest(text: string): Manifest {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    throw new ManifestError(`manifest is not JSON: ${(cause as Error).message}`, { cause });
  }
  return checkManifest(value);
}

/** Text of a manifest file. */
export function formatManifest(manifest: Manifest): string {
  return `${JSON.stringify(manifest, null, 2)}\n`;
}

/**
 * The manifest of a network without one: a single active seat `v1` whose operator is the node's own
 * key.
 */
export function singleSeatManifest(publicKeyHex: string): Manifest {
  return {
    entries: [
      {
        validator_id: 'v1',
        operator_agent_id: publicKeyHex,
        consensus_public_key: publicKeyHex,
        key_epoch: 1,
        bonded_stake: SINGLE_SEAT_STAKE_MICRO,
        initial_status: 'active',
      },
    ],
  };
}

/** The seats of a checked manifest, in seat order. */
export function seatsOf(manifest: Manifest): Seat[] {
  return manifest.entries.map((entry, index) => ({
    index,
    validatorId: entry.validator_id,
    operatorId: entry.operator_agent_id,
    operatorKey: fromHex(entry.operator_agent_id)!,
    consensusKey: fromHex(entry.consensus_public_key)!,
    keyEpoch: entry.key_epoch,
    bondedStakeMicro: entry.bonded_stake,
    initialStatus: entry.initial_status,
    baselineBp: entry.reputation_baseline ?? DEFAULT_BASELINE_BP,
    categories: entry.categories ?? [],
  }));
}
