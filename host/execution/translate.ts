// From a parsed request to a core command: a pure function of the request and of immutable facts about agents and tasks.
// Keeps: every node gets the same command for the same entry, or refuses it alike; whatever depends on changing state
// (balances, duplicates, roles) is checked by the core.

import type { CommandHead } from '../core/commands.ts';
import { ServiceError } from '../errors.ts';
import { equalBytes, toHex } from '../wire/bytes.ts';
import { agentKey } from '../wire/ids.ts';
import {
  OPERATIONS,
  type Operation,
  type OperationName,
  type Parsed,
  type ParsedOf,
} from '../wire/operations.ts';
import type { Identities } from './identity.ts';
import { CASE_TRANSLATORS } from './translation/cases.ts';
import { LEDGER_TRANSLATORS } from './translation/ledger.ts';
import { MARKET_TRANSLATORS } from './translation/market.ts';
import { PLATFORM_TRANSLATORS } from './translation/platform.ts';
import { PROGRAM_TRANSLATORS } from './translation/programs.ts';
import { TASK_TRANSLATORS } from './translation/tasks.ts';
import type { Credentials, KeyAttachment, Translated, Translator, Translators } from './translation/types.ts';
import { VALIDATOR_TRANSLATORS } from './translation/validators.ts';

export type { Credentials, KeyAttachment, Translated } from './translation/types.ts';

/** One translator for each operation; a table for each domain. */
const TRANSLATORS: Translators<OperationName> = {
  ...LEDGER_TRANSLATORS,
  ...TASK_TRANSLATORS,
  ...MARKET_TRANSLATORS,
  ...PLATFORM_TRANSLATORS,
  ...PROGRAM_TRANSLATORS,
  ...CASE_TRANSLATORS,
  ...VALIDATOR_TRANSLATORS,
};

const forbidden = (text: string): ServiceError => new ServiceError('forbidden_actor', { text });

/** Does a name mean the acting agent, who may not be registered? */
function namesActor(name: string, c: Credentials, ids: Identities): boolean {
  if (c.agent) return ids.names(name, c.agent);
  if (c.signer) return name.toLowerCase() === toHex(c.signer);
  return c.vouchedActor !== undefined && equalBytes(agentKey(name), agentKey(c.vouchedActor));
}

/** Who acts, and what of an unsigned request names it. */
function actingOf({ pathActor, actors }: Operation, { signer, keyId, vouchedActor }: Credentials): string {
  if (signer) return 'the signer';
  if (keyId) return "the API key's owner";
  const names = pathActor === undefined ? actors : ['the path'];
  return `${vouchedActor}, which acts${names.length > 0 ? `; it is named by ${names.join(' or ')}` : ''}`;
}

/** Every actor field must name the acting agent, each validator one that it operates (protocol 1.7). */
export function checkActors(parsed: Parsed, c: Credentials, ids: Identities): void {
  const operation: Operation = OPERATIONS[parsed.name];
  for (const { field, value } of parsed.actors) {
    // The core reports a missing validator, which must come before any 403 (protocol 4.3).
    if (operation.namesOwnValidator && field === 'id' && ids.findValidator(value) === undefined) continue;
    if (!namesActor(value, c, ids))
      throw forbidden(`${field} names another agent than ${actingOf(operation, c)}`);
  }
}

interface Request {
  parsed: Parsed;
  txId: Uint8Array;
  credentials: Credentials;
  attachment: KeyAttachment | undefined;
  ids: Identities;
}

function translate({ parsed, txId, credentials, attachment, ids }: Request, isProbe: boolean): Translated {
  const { signer, vouchedActor, auth, lastSecs, windowSecs, kib, keyId, seat } = credentials;
  const actor = signer ?? (vouchedActor === undefined ? txId : agentKey(vouchedActor));
  const head: CommandHead = { txId, actor, auth, lastSecs, windowSecs, kib, keyId, seat };
  // Name and translator belong together; the type system can't say so for a table.
  const translator = TRANSLATORS[parsed.name] as Translator<OperationName>;
  const made = translator(parsed as ParsedOf<OperationName>, { head, credentials, attachment, ids, isProbe });
  return made instanceof Uint8Array ? { command: made } : made;
}

/**
 * The command of a parsed request. Does not look at balances or states.
 * Errors: `invalid_request`, `forbidden_actor`, as protocol 1.6 step 6 and 7.
 */
export function toCommand(
  parsed: Parsed,
  txId: Uint8Array,
  credentials: Credentials,
  attachment: KeyAttachment | undefined,
  ids: Identities,
): Translated {
  return translate({ parsed, txId, credentials, attachment, ids }, false);
}

/** Operations whose translation scores, hashes or opens what may be a megabyte. */
const COSTLY: ReadonlySet<OperationName> = new Set([
  'taskSubmit',
  'programPublish',
  'taskDispute',
  'taskContest',
  'taskOpen',
]);

/**
 * A cheap stand-in that the core refuses for the same reasons as the real command, except those that depend on costly
 * parts; undefined if the operation has no costly parts. It is checked before a stranger's megabyte is scored.
 */
export function probeCommand(
  parsed: Parsed,
  txId: Uint8Array,
  credentials: Credentials,
  ids: Identities,
): Uint8Array | undefined {
  if (!COSTLY.has(parsed.name)) return undefined;
  return translate({ parsed, txId, credentials, attachment: undefined, ids }, true).command;
}
