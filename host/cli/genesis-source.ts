// The genesis a node starts from: a manifest file, or a single seat with the node's own key.
// Keeps: the node's key must be a seat of the manifest before anything is opened, unless there is a store already or a state
// will be joined: then that state names the keys (protocol 12.3). Parameters of manifest and environment are checked together.

import { readFileSync } from 'node:fs';
import type { Config } from '../config/config.ts';
import { buildGenesis, type Genesis } from '../wire/genesis.ts';
import { type Manifest, ManifestError, parseManifest, singleSeatManifest } from '../wire/manifest.ts';
import { hasStore } from '../world/system/store-path.ts';

export interface GenesisSource {
  genesis: Genesis;
}

/**
 * `ownKeyHex`: hex64 consensus key of this node.
 * Errors: ManifestError (unreadable, invalid, this node's key not in it), ParamError.
 */
export function loadGenesis(config: Config, ownKeyHex: string): GenesisSource {
  const manifest =
    config.manifestPath === undefined ? singleSeatManifest(ownKeyHex) : readManifest(config.manifestPath);
  const isSeat = manifest.entries.some((entry) => entry.consensus_public_key === ownKeyHex);
  const hasState = config.join === 'checkpoint' || hasStore(config.dataDir);
  if (!isSeat && !config.observer && !hasState) {
    throw new ManifestError(`validator not in manifest: ${ownKeyHex}`);
  }
  const { testnet, params: overrides, noAuth: isOpenMode } = config;
  const genesis = buildGenesis({ testnet, manifest, overrides, isOpenMode });
  return { genesis };
}

function readManifest(path: string): Manifest {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (cause) {
    throw new ManifestError(
      `manifest ${path} cannot be read: ${cause instanceof Error ? cause.message : String(cause)}`,
    );
  }
  return parseManifest(text);
}
