// The body that a node vouches for: as it was sent, but a plain webhook secret is encrypted to the node first, since the
// order is public. A signed body cannot be changed, so there the client must encrypt (protocol 10).

import { utf8 } from '../wire/bytes.ts';
import { parseBody } from '../wire/json.ts';
import { OPERATIONS, type Operation } from '../wire/operations.ts';
import { isSealed, MAX_HOOK_SECRET_BYTES, seal } from '../wire/sealed-text.ts';

/** Who vouches, and for whom. */
interface Vouching {
  operation: Operation | undefined;
  /** agent_id of the acting agent, if it is registered. */
  agentId: string | undefined;
  nodeKey: Uint8Array;
  randomBytes(n: number): Uint8Array;
}

/** Leaves alone what cannot be encrypted: a body that is refused anyway, a secret that would outgrow its field. */
export function bodyToVouch(
  sent: Uint8Array,
  { operation, agentId, nodeKey, randomBytes }: Vouching,
): Uint8Array {
  if (operation !== OPERATIONS.routerRegister || agentId === undefined) return sent;
  const { value } = parseBody(sent);
  if (typeof value !== 'object' || value === null || !('webhook_secret' in value)) return sent;
  const { webhook_secret: secret } = value;
  if (typeof secret !== 'string' || isSealed('vws-hook-v1', secret)) return sent;
  const { length } = utf8(secret);
  if (length < 1 || length > MAX_HOOK_SECRET_BYTES) return sent;
  const sealed = seal('vws-hook-v1', nodeKey, agentId, secret, randomBytes);
  return sealed === undefined ? sent : utf8(JSON.stringify({ ...value, webhook_secret: sealed }));
}
