// The secret that signs a webhook: one encrypted to this node's key is decrypted, any other is used as is.
// Keeps: a decrypted secret is used for one signature and never stored or logged.

import { isSealed, type OpeningKey, open, sealedBytes } from '../wire/sealed-text.ts';

/**
 * Key of the signature. `agentId`: owner of the capability. Undefined when an encrypted secret cannot be decrypted: it was
 * encrypted to another key (such as an earlier one of this seat) or for another agent, or it was altered.
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
