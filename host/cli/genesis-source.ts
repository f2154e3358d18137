// The genesis a node starts from: a manifest file, or a single seat with the node's own key.
// Keeps: the node's key must be a seat of the manifest before anything is opened, unless there is a store already or a state
// will be joined: then that state names the keys (protocol 12.3). Parameters of manifest and environment are checked together.

import { existsSync, readFileSync } from 'node:fs';
import type { Config } from '../config/config.ts';
import { buildGenesis, type Genesis } from '../wire/genesis.ts';
import { type Manifest, ManifestError, parseManifest, singleSeatManifest } from '../wire/manifest.ts';
import { effectiveParams } from '../wire/params.ts';
import { hasStore } from '../world/system/store-path.ts';
import { reasonOf } from './fault-text.ts';

export interface GenesisSource {
  genesis: Genesis;
}

/** What the configuration says of the network, before this node's key is known. */
export interface ConfiguredNetwork {
  /** `ownKeyHex`: hex64 consensus key of this node. Errors: ManifestError if it has no seat. */
  genesisFor(ownKeyHex: string): GenesisSource;
}

/** Errors: ManifestError (unreadable, invalid), ParamError. */
export function readNetwork(config: Config): ConfiguredNetwork {
  const { testnet, params: overrides, noAuth: isOpenMode } = config;
  if (config.manifestPath === undefined) {
    effectiveParams({ testnet, seats: 1, manifestParams: undefined, overrides, isOpenMode });
    const ofKey = (key: string) => singleSeatManifest(key);
    return {
      genesisFor: (key) => ({
        genesis: buildGenesis({ testnet, manifest: ofKey(key), overrides, isOpenMode }),
      }),
    };
  }
  const manifest = readManifest(config.manifestPath);
  const genesis = buildGenesis({ testnet, manifest, overrides, isOpenMode });
  return {
    genesisFor(ownKeyHex) {
      const isSeat = manifest.entries.some((entry) => entry.consensus_public_key === ownKeyHex);
      const hasState = config.join === 'checkpoint' || hasStore(config.dataDir);
      if (!isSeat && !config.observer && !hasState) {
        throw new ManifestError(`validator not in manifest: ${ownKeyHex}`);
      }
      return { genesis };
    },
  };
}

/** What `start` would refuse of manifest and parameters, before the manifest is agreed on nothing. Errors: as readNetwork. */
export function checkNetwork(config: Config): void {
  if (config.manifestPath === undefined || existsSync(config.manifestPath)) readNetwork(config);
}

/** Errors: ManifestError. */
export function readManifest(path: string): Manifest {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (cause) {
    throw new ManifestError(`manifest ${path} cannot be read: ${reasonOf(cause)}`);
  }
  try {
    return parseManifest(text);
  } catch (cause) {
    if (!(cause instanceof ManifestError)) throw cause;
    throw new ManifestError(`${path}: ${cause.message}`, { cause });
  }
}
