// The step that usually mends a failure, by its code: one line below the error.
// Keeps: a hint names a command or a flag that exists; a code without a usual cure has none.

import { VwsError } from '../client/index.ts';

const RESEND =
  'the signed request is kept: the same command with --resend sends it again, and it cannot run twice';

const HINTS: Readonly<Record<string, string>> = {
  unreachable: 'is a node running there? --node URL names another one; vws try starts one on this machine',
  bad_answer: 'this does not look like the API of a vws node: check --node or SERVICE_NODE',
  not_found: 'this does not look like the API of a vws node: check --node or SERVICE_NODE',
  auth_required: 'give your key file with --key or SERVICE_KEY; vws keygen makes one',
  trust_limit_exceeded: 'pending transfers may not exceed the trust limit: raise it with vws stake',
  insufficient_balance: 'vws balance shows what is free; on a testnet vws faucet gives tokens',
  agent_not_found: 'check the id; if it is your own, vws register comes first',
  tx_chain_mismatch:
    'SERVICE_TESTNET names another chain than the node has: unset it, or choose another node',
  tx_invalid_timestamp: 'the clock of this machine and that of the network differ',
  tx_expired: 'the clock of this machine and that of the network differ',
  claim_limit: 'stake more with vws stake, or deliver what you hold first',
  invalid_state: 'the object has moved on: show it to see what is possible now',
  poster_unproven:
    'deliver again after the next checkpoint, or give the key of the poster with --poster-key if you know it',
  acceptance_failed: 'mend the delivery; vws check run --task runs the same contract without submitting',
  rate_limited: 'type it again when that time has passed',
};

/** For system errors, which have no code of ours. */
const SYSTEM_HINTS: Readonly<Record<string, string>> = {
  EADDRINUSE: 'choose others, for instance --api 127.0.0.1:9338 --listen 127.0.0.1:9337',
};

/** The hint for an error of a node or of the system. */
export function hintOf(error: unknown): string | undefined {
  if (error instanceof VwsError) {
    // Of a write that was sent, `bad_answer` means that it ran; without a status it is about what a node said.
    const isOfContent = error.code === 'bad_answer' && (error.txid !== undefined || error.status === 0);
    return error.request ? RESEND : isOfContent ? undefined : HINTS[error.code];
  }
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  return SYSTEM_HINTS[code];
}
