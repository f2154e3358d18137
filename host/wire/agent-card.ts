// A2A agent cards that an agent signs itself: a JSON Web Signature (RFC 7515, RFC 8037) over the canonical JSON (RFC 8785)
// of the card without its signatures and without members at their defaults (A2A 1.0, section 8.4). So a card can be checked
// wherever it was found, also by clients that keep it in another form meanwhile.

import { fromBase64, toBase64 } from './base64.ts';
import { utf8 } from './bytes.ts';
import { isRecord, jcs } from './json.ts';

/** Bytes of a card in canonical form, its signatures included. */
export const MAX_CARD_BYTES = 4_096;

export type AgentCard = Record<string, unknown>;

/** What a signature is made over, and the signature if there is one. */
export interface CardClaim {
  message: Uint8Array;
  signature: Uint8Array;
}

const toBase64Url = (bytes: Uint8Array): string =>
  toBase64(bytes).replace(/=+$/, '').replaceAll('+', '-').replaceAll('/', '_');

function fromBase64Url(text: unknown): Uint8Array | undefined {
  if (typeof text !== 'string' || !/^[A-Za-z0-9_-]*$/.test(text)) return undefined;
  const plain = text.replaceAll('-', '+').replaceAll('_', '/');
  return fromBase64(plain.padEnd(Math.ceil(plain.length / 4) * 4, '='));
}

/** Members that are false where they are absent; of others, absent and false are two answers. */
const PLAIN_BOOLS = new Set(['required', 'pkceRequired']);
/** What an extension has here is its own: no member in it has a default. */
const OWN_MEMBERS = 'params';
const NONE: ReadonlySet<string> = new Set();

/** Without what says nothing, as the clients of A2A sign: "", null, [] and {}, at any depth. Undefined: nothing is left. */
function withoutDefaults(value: unknown, plainBools: ReadonlySet<string> = PLAIN_BOOLS): unknown {
  if (value === '' || value === null) return undefined;
  if (Array.isArray(value)) {
    const rows = value.map((row) => withoutDefaults(row, plainBools)).filter((row) => row !== undefined);
    return rows.length === 0 ? undefined : rows;
  }
  if (!isRecord(value)) return value;
  const members = Object.entries(value).flatMap(([name, member]) => {
    if (member === false && plainBools.has(name)) return [];
    const kept = withoutDefaults(member, name === OWN_MEMBERS ? NONE : plainBools);
    return kept === undefined ? [] : [[name, kept]];
  });
  return members.length === 0 ? undefined : Object.fromEntries(members);
}

const messageOf = ({ signatures: _, ...card }: AgentCard, head: string): Uint8Array =>
  utf8(`${head}.${toBase64Url(utf8(jcs(withoutDefaults(card) ?? {})))}`);

/** The protected header of an agent's signature, and what is signed. */
export function cardToSign(card: AgentCard, agentId: string): { head: string; message: Uint8Array } {
  const head = toBase64Url(utf8(jcs({ alg: 'EdDSA', kid: agentId, typ: 'JOSE' })));
  return { head, message: messageOf(card, head) };
}

export const signedCard = (card: AgentCard, head: string, signature: Uint8Array): AgentCard => ({
  ...card,
  signatures: [{ protected: head, signature: toBase64Url(signature) }],
});

/** The one signature of a card, Ed25519; undefined if the card has another form. Whose it is shows only its check. */
export function claimOf(card: AgentCard): CardClaim | undefined {
  const { signatures } = card;
  if (!Array.isArray(signatures) || signatures.length !== 1 || !isRecord(signatures[0])) return undefined;
  const { protected: head, signature } = signatures[0];
  const [header, bytes] = [fromBase64Url(head), fromBase64Url(signature)];
  if (header === undefined || bytes?.length !== 64) return undefined;
  return isEdDsa(header) ? { message: messageOf(card, head as string), signature: bytes } : undefined;
}

function isEdDsa(header: Uint8Array): boolean {
  try {
    const fields: unknown = JSON.parse(new TextDecoder().decode(header));
    return isRecord(fields) && fields.alg === 'EdDSA' && !('crit' in fields);
  } catch {
    return false;
  }
}
