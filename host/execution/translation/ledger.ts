// Commands of registrations, transfers, stake and verdicts.

import * as abi from '../../../assembly/abi.ts';
import * as commands from '../../core/commands.ts';
import { GROUND_OF } from '../../core/task-names.ts';
import { invalid, ServiceError } from '../../errors.ts';
import { equalBytes, fromHex, toHex, utf8 } from '../../wire/bytes.ts';
import { sha256 } from '../../wire/hash.ts';
import { agentKey, isAgentIdForm } from '../../wire/ids.ts';
import { type LEDGER_OPERATIONS, SHARE_STEP_BP } from '../../wire/operations/ledger.ts';
import { isAcceptableKey } from '../../wire/public-key.ts';
import { taskIdBytes } from './tasks.ts';
import type { Credentials, TranslateContext, Translators } from './types.ts';

const forbidden = (text: string): ServiceError => new ServiceError('forbidden_actor', { text });

/** Standard base64 of exactly 32 bytes, padding optional, canonical. */
function keyFromBase64(text: string): Uint8Array | undefined {
  if (!/^[A-Za-z0-9+/]{43}=?$/.test(text)) return undefined;
  const binary = atob(`${text.slice(0, 43)}=`);
  const bytes = Uint8Array.from(binary, (c) => c.charCodeAt(0));
  return btoa(binary).slice(0, 43) === text.slice(0, 43) ? bytes : undefined;
}

interface Registrant {
  agentId: string;
  publicKey: Uint8Array | undefined;
}

/** The agent that a registration creates (protocol 1.3, 4.1). */
function registrant(args: { agent_id?: string; public_key_b64?: string }, c: Credentials): Registrant {
  let given: Uint8Array | undefined;
  if (args.public_key_b64 !== undefined) {
    given = keyFromBase64(args.public_key_b64);
    if (!given || !isAcceptableKey(given)) throw invalid('public_key_b64 is not an acceptable Ed25519 key');
  }
  if (c.signer && given && !equalBytes(given, c.signer)) {
    throw forbidden('public_key_b64 is not the key that signed');
  }
  // Neither id nor key: the vouching node's own identity, which is registered and has a key (protocol 4.1).
  const isOwn = args.agent_id === undefined && !given;
  const publicKey = c.signer ?? given ?? (isOwn ? c.agent?.publicKey : undefined);
  let agentId = args.agent_id ?? (publicKey ? toHex(publicKey) : c.vouchedActor);
  if (agentId === undefined) throw invalid('agent_id or public_key_b64 is required');
  if (/^[0-9a-fA-F]{64}$/.test(agentId)) {
    agentId = agentId.toLowerCase();
    if (!publicKey || agentId !== toHex(publicKey)) {
      throw forbidden('an agent_id of 64 hex characters must be the registered key');
    }
  } else if (!isAgentIdForm(agentId)) {
    throw invalid('agent_id has a wrong form or a reserved prefix');
  }
  return { agentId, publicKey };
}

/** Bytes of an event id in a request. Any other text gives a hash, which matches no event. */
const eventIdBytes = (text: string): Uint8Array =>
  /^[0-9a-fA-F]{64}$/.test(text) ? fromHex(text)! : sha256(utf8(text));

/** The event of a verdict. Where the request names the task that was judged, an event of another one is none. */
function judgedEvent(args: { event_id: string; task_id?: string }, { ids }: TranslateContext): Uint8Array {
  const event = eventIdBytes(args.event_id);
  if (args.task_id === undefined) return event;
  const task = ids.state.task(taskIdBytes(args.task_id));
  const own = [task?.submissionEvent, task?.disputeEvent];
  return own.some((one) => one && equalBytes(one, event)) ? event : sha256(event);
}

export const LEDGER_TRANSLATORS: Translators<keyof typeof LEDGER_OPERATIONS> = {
  register({ args }, { head, credentials }) {
    const { agentId, publicKey } = registrant(args, credentials);
    return commands.register(
      { ...head, actor: agentKey(agentId) },
      publicKey,
      args.initial_stake ?? 0,
      agentId,
    );
  },
  faucet: (_, { head }) => commands.faucet(head),
  transfer: ({ args }, { head }) => commands.transfer(head, agentKey(args.to_agent), args.amount),
  generation({ args }, { head }) {
    const to = args.beneficiary === undefined ? head.actor : agentKey(args.beneficiary);
    return commands.generation(head, to, args.claimed_value);
  },
  stake: ({ args }, { head }) => commands.stake(head, args.amount),
  unstake: ({ args }, { head }) => commands.unstake(head, args.amount),
  verify: ({ args }, c) =>
    commands.verify(
      c.head,
      judgedEvent(args, c),
      args.verdict,
      args.verified_value,
      args.ground === undefined ? abi.GROUND_NONE : GROUND_OF[args.ground],
      (args.worker_share_bp ?? 0) / SHARE_STEP_BP,
      args.salt === undefined ? undefined : fromHex(args.salt)!,
    ),
  voteCommit: ({ args }, c) => commands.voteCommit(c.head, judgedEvent(args, c), fromHex(args.commitment)!),
};
