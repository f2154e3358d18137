// The audited network: its genesis, checked against a hash that does not come from the node.

import { fromHex, toHex } from '../wire/bytes.ts';
import { chainIdOf } from '../wire/chain-id.ts';
import { buildGenesis, type Genesis } from '../wire/genesis.ts';
import { LogFault } from '../wire/log-fault.ts';
import { checkManifest } from '../wire/manifest.ts';

/**
 * Builds the genesis from a node's document. `expected`: the network's genesis hash in hex; undefined: accept the node's,
 * which the caller must then show to a person who can check it. Errors: LogFault `genesis`.
 */
export function readGenesis(document: unknown, expected: string | undefined): Genesis {
  const genesis = build(document);
  const reported = (document as { genesis_hash?: unknown }).genesis_hash;
  if (reported !== genesis.hashHex)
    throw new LogFault(
      'genesis',
      `the node's genesis has hash ${genesis.hashHex}, but the node reports ${String(reported)}`,
    );
  if (expected !== undefined && !isHash(expected))
    throw new TypeError('a genesis hash is 64 hexadecimal characters');
  if (expected !== undefined && expected.toLowerCase() !== genesis.hashHex)
    throw new LogFault('genesis', `the node belongs to network ${genesis.hashHex}, not to ${expected}`);
  return genesis;
}

const isHash = (text: string): boolean => toHex(fromHex(text) ?? new Uint8Array(0)).length === 64;

function build(document: unknown): Genesis {
  try {
    const { chain_id, manifest, params } = document as Record<string, unknown>;
    return buildGenesis({
      testnet: chain_id !== chainIdOf(false),
      manifest: checkManifest(manifest),
      overrides: params as Record<string, unknown>,
    });
  } catch (error) {
    throw new LogFault('genesis', `the node's genesis is invalid: ${(error as Error).message}`);
  }
}
