// Types that the translation tables share: credentials, a translator's context and its result.

import type { CommandHead } from '../../core/commands.ts';
import type { ScoredSubmission } from '../../ordering/block.ts';
import type { Comparison } from '../../scoring/index.ts';
import type { Window } from '../../wire/entry.ts';
import type { OperationName, ParsedOf } from '../../wire/operations.ts';
import type { AgentIdentity, Identities } from '../identity.ts';

/** How a request was authenticated and by whom, however it arrived. */
export interface Credentials extends Window {
  auth: number;
  /** Signer's public key (TX-V1, REQUEST-V1); undefined for vouched requests. */
  signer: Uint8Array | undefined;
  /** The registered agent that acts; undefined for a registration, or an unregistered signer. */
  agent: AgentIdentity | undefined;
  /** agent_id that a vouching node names as actor. */
  vouchedActor: string | undefined;
  /** Whole KiB of path and body. */
  kib: number;
  keyId: Uint8Array | undefined;
  /** Seat of the vouching node. */
  seat: number | undefined;
}

/** What the accepting node attaches to the creation of an API key (protocol 5.7). */
export interface KeyAttachment {
  keyHash: Uint8Array;
  node: Uint8Array;
}

/** What a translator may use besides the request. */
export interface TranslateContext {
  head: CommandHead;
  credentials: Credentials;
  attachment: KeyAttachment | undefined;
  ids: Identities;
  /** For `probeCommand`: omit costly parts that the core does not check first. */
  isProbe: boolean;
}

/** A command, and the computed results that its documents contain. */
export interface Translated {
  command: Uint8Array;
  submission?: ScoredSubmission;
  comparisons?: Comparison[];
  /** OPEN_* of a key that came with the request. */
  opening?: number;
}

export type Translator<N extends OperationName> = (
  parsed: ParsedOf<N>,
  c: TranslateContext,
) => Uint8Array | Translated;
/** A translator for each of some operations. */
export type Translators<N extends OperationName> = { [K in N]: Translator<K> };
