// The secret of a webhook as it signs: one that is sealed to this node's key is opened, any other is taken as it is.
// Keeps: what was opened lives as long as one signature is made; nothing here stores or logs it.

import { isSealed, type OpeningKey, open, sealedBytes } from '../wire/sealed-text.ts';

/**
 * Key of the signature. `agentId`: whose capability it is. Undefined when it says that it is sealed and does not open: to
 * another key, such as an earlier one of this seat, for another agent, or altered.
 */
export function signingSecret(
  secret: string,
  agentId: string,
  key: OpeningKey,
): string | Uint8Array | undefined {
  if (!isSealed('vws-hook-v1', secret)) return secret;
  const bytes = sealedBytes('vws-hook-v1', secret);
  try {
    return bytes && open('vws-hook-v1', key, agentId, bytes);
  } catch {
    return undefined;
  }
}
