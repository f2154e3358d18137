// The network that is verified: its genesis, by a hash or a manifest that the verifier was given, not the node.

import { fromHex, toHex } from '../wire/bytes.ts';
import { buildGenesis, chainIdOf, type Genesis } from '../wire/genesis.ts';
import { LogFault } from '../wire/log-fault.ts';
import { checkManifest } from '../wire/manifest.ts';

/**
 * The genesis that a node's document stands for. `expected`: hash in hex of the network; undefined: whatever the node
 * says, which the caller shows to a person who knows. Errors: LogFault `genesis`.
 */
export function readGenesis(document: unknown, expected: string | undefined): Genesis {
  const genesis = build(document);
  const told = (document as { genesis_hash?: unknown }).genesis_hash;
  if (told !== genesis.hashHex)
    throw new LogFault('genesis', `the node's genesis has hash ${genesis.hashHex}, it says ${String(told)}`);
  if (expected !== undefined && !isHash(expected))
    throw new TypeError('a genesis hash is 64 hexadecimal characters');
  if (expected !== undefined && expected.toLowerCase() !== genesis.hashHex)
    throw new LogFault('genesis', `the node is of network ${genesis.hashHex}, asked for was ${expected}`);
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
    throw new LogFault('genesis', `the node's genesis is none: ${(error as Error).message}`);
  }
}
