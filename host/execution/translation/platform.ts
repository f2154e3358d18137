// Commands of API keys, and the forms that key ids and scopes have.

import * as abi from '../../../assembly/abi.ts';
import * as commands from '../../core/commands.ts';
import { invalid } from '../../errors.ts';
import { fromHex, toHex, utf8 } from '../../wire/bytes.ts';
import { sha256 } from '../../wire/hash.ts';
import type { PLATFORM_OPERATIONS } from '../../wire/operations/platform.ts';
import type { Scope } from '../../wire/operations.ts';
import { SCOPES } from '../../wire/operations.ts';
import type { Translators } from './types.ts';

/** Bits of scopes in abi order: SCOPES lists them in the same order. */
export const scopeBits = (scopes: readonly string[]): number =>
  scopes.reduce((bits, scope) => bits | (1 << SCOPES.indexOf(scope as Scope)), 0);
export const scopeNames = (bits: number): string[] => SCOPES.filter((_, i) => bits & (1 << i));

/** An API key's id from what a path holds: the id itself or the full key; undefined for anything else. */
export function keyIdFromPath(text: string): Uint8Array | undefined {
  if (/^[0-9a-f]{16}$/.test(text)) return fromHex(text);
  if (/^vws_[0-9a-f]{64}$/.test(text)) return sha256(utf8(text)).subarray(0, 8);
  return undefined;
}

/**
 * The signature must say which node issues the key: another seat that sees the request could attach a key of its own,
 * and then vouch for whatever the key allows (protocol 4.9).
 */
function checkIssuer(named: string | undefined, node: Uint8Array, seats: number): void {
  if (named === undefined && seats > 1)
    throw invalid('issuing_node is required: the network has several seats');
  if (named !== undefined && named.toLowerCase() !== toHex(node))
    throw invalid('issuing_node is not the consensus key of the node that issues the key');
}

export const PLATFORM_TRANSLATORS: Translators<keyof typeof PLATFORM_OPERATIONS> = {
  keyCreate({ args }, { head, attachment, ids }) {
    if (!attachment) throw invalid('the accepting node attached no key');
    const seat = ids.seatOfNode(attachment.node);
    if (seat === undefined) throw invalid('the key was not issued by a seat');
    checkIssuer(args.issuing_node, attachment.node, ids.manifest.entries.length);
    return commands.keyCreate(head, {
      keyId: attachment.keyHash.subarray(0, 8),
      hash: attachment.keyHash,
      scopes: args.scopes ? scopeBits(args.scopes) : abi.SCOPE_ALL,
      hourlyLimit: args.hourly_limit ?? 1000,
      expiresAt: args.expires_at ?? 0,
      issuingSeat: seat,
    });
  },
  keyRevoke: ({ path }, { head }) => commands.keyRevoke(head, keyIdFromPath(path.key!) ?? new Uint8Array(8)),
};
