// Genesis (protocol 6.1, 12.7): chain id, allocations, and the hash that two nodes must share to connect.
// Keeps: allocations add up to the total supply, 10^15 micro-units. They only describe what the core does at genesis:
// the core itself moves the money, from the seats it is given.

import { fromHex } from './bytes.ts';
import { chainIdOf } from './chain-id.ts';
import { sha256Hex } from './hash.ts';
import { jcs } from './json.ts';
import type { Manifest } from './manifest.ts';
import { GENESIS_REWARDS_MICRO, ManifestError } from './manifest.ts';
import type { Params } from './params.ts';
import { effectiveParams, paramsJson } from './params.ts';

const TOKEN = 1_000_000; // micro-units
const FAUCET_MICRO = 10_000_000 * TOKEN;
const REPLAY_SEED_MICRO = 50 * TOKEN;
const OPERATOR_MICRO = 25_000 * TOKEN;
const REPLAY_KEYS = ['code', 'data', 'analysis', 'content', 'general'] as const;

/** Everything the nodes of one network must agree on before they connect. */
export interface Genesis {
  chainId: string;
  testnet: boolean;
  manifest: Manifest;
  params: Params;
  /** Unix seconds; 0: the consensus time of the first block. */
  launchTime: number;
  /** Account -> micro-units, right after genesis. */
  allocations: Readonly<Record<string, number>>;
  /** genesis_hash, 32 bytes. */
  hash: Uint8Array;
  hashHex: string;
}

/**
 * Every account with a balance right after genesis, in micro-units. An agent's free balance is listed
 * under its plain agent_id; reserved prefixes keep all other account names distinct from agent ids.
 * Errors: ManifestError when stakes and testnet operator funds exceed genesis:rewards.
 */
export function genesisAllocations(testnet: boolean, manifest: Manifest): Record<string, number> {
  const accounts: Record<string, number> = {
    'genesis:founders': 150_000_000 * TOKEN,
    'genesis:investors': 150_000_000 * TOKEN,
    'genesis:ecosystem': 300_000_000 * TOKEN,
    'genesis:treasury': 100_000_000 * TOKEN - REPLAY_KEYS.length * REPLAY_SEED_MICRO,
    'genesis:public': 100_000_000 * TOKEN - (testnet ? FAUCET_MICRO : 0),
  };
  if (testnet) accounts['genesis:faucet'] = FAUCET_MICRO;
  for (const key of REPLAY_KEYS) accounts[`system:replay_reserve:${key}`] = REPLAY_SEED_MICRO;
  let rewardsMicro = GENESIS_REWARDS_MICRO;
  for (const { operator_agent_id: operator, bonded_stake: stakeMicro } of manifest.entries) {
    accounts[`system:stake:${operator}`] = stakeMicro;
    rewardsMicro -= stakeMicro;
    if (testnet) {
      accounts[operator] = OPERATOR_MICRO;
      rewardsMicro -= OPERATOR_MICRO;
    }
  }
  if (rewardsMicro < 0) {
    throw new ManifestError('manifest: bonded_stake and operator funds together are above genesis:rewards');
  }
  if (rewardsMicro > 0) accounts['genesis:rewards'] = rewardsMicro;
  return accounts;
}

interface GenesisSources {
  testnet: boolean;
  /** Already checked: the result of `parseManifest` or `singleSeatManifest`. */
  manifest: Manifest;
  /** Network parameters by environment or flag. */
  overrides?: Readonly<Record<string, unknown>>;
  /** The node takes unsigned writes (`--no-auth`). */
  isOpenMode?: boolean;
}

/** Errors: ParamError for an invalid parameter, ManifestError for stakes above genesis:rewards. */
export function buildGenesis({ testnet, manifest, overrides, isOpenMode }: GenesisSources): Genesis {
  const chainId = chainIdOf(testnet);
  const params = effectiveParams({
    testnet,
    seats: manifest.entries.length,
    manifestParams: manifest.params,
    overrides,
    isOpenMode: isOpenMode === true,
  });
  const allocations = genesisAllocations(testnet, manifest);
  const hashHex = sha256Hex(jcs({ chain_id: chainId, manifest, params: paramsJson(params), allocations }));
  return {
    chainId,
    testnet,
    manifest,
    params,
    launchTime: manifest.launch_time ?? 0,
    allocations,
    hash: fromHex(hashHex)!,
    hashHex,
  };
}
