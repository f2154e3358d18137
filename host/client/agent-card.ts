// Signs the A2A agent card of an agent, for its listing.

import { type AgentCard, cardToSign, MAX_CARD_BYTES, signedCard } from '../wire/agent-card.ts';
import { utf8 } from '../wire/bytes.ts';
import { jcs } from '../wire/json.ts';
import type { Signer } from './signer.ts';
import { badCall } from './vws-error.ts';

/** Cards of A2A 1.0 do not have them. Its clients leave out what they do not know, so no signature over it would hold. */
const MEMBERS_OF_0_3 = [
  ...['url', 'preferredTransport', 'additionalInterfaces', 'protocolVersion', 'security'],
  'supportsAuthenticatedExtendedCard',
];

/**
 * The card with the signature of its agent in place of any other; `market.list({ agent_card })` publishes it.
 * `agentId`: the agent's id, by default its public key. Errors: VwsError `bad_call` for one of more than
 * 4 KiB, or of A2A 0.3.
 */
export async function signAgentCard(
  card: AgentCard,
  key: Signer,
  agentId: string = key.publicKeyHex,
): Promise<AgentCard> {
  const old = MEMBERS_OF_0_3.find((name) => Object.hasOwn(card, name));
  if (old !== undefined)
    throw badCall(
      `agent card: "${old}" is of A2A 0.3; a card of 1.0 has it in supportedInterfaces or not at all`,
    );
  const { head, message } = cardToSign(card, agentId);
  const signed = signedCard(card, head, await key.sign(message));
  const { length } = utf8(jcs(signed));
  if (length > MAX_CARD_BYTES)
    throw badCall(`the signed card has ${length} bytes, of at most ${MAX_CARD_BYTES}`);
  return signed;
}
