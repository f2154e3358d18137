// Types shared by the tables of answers.

import type { TxOutcome } from '../../core/outcomes.ts';
import type { Identities } from '../../execution/identity.ts';
import type { EntryInput } from '../../ordering/block.ts';
import type { OperationName, ParsedOf } from '../../wire/operations.ts';
import type { Store } from '../../world/store.ts';
import type { Hidden } from '../hidden.ts';

export interface ReplyContext {
  ids: Identities;
  /** The store after the batch was written. */
  store: Store;
  testnet: boolean;
  /** Which contents this node does not show. */
  hidden: Hidden;
  /** Text of a new API key, known only to the node that created it. */
  apiKey?: string;
  timeSecs: number;
}

/** A successful write. */
export interface SucceededWrite {
  input: EntryInput;
  outcome: TxOutcome;
  /** `outcome.words`; the first is the index of the acting agent. */
  words: number[];
  base: { event_id: string; agent_id: string };
  c: ReplyContext;
}
export interface Succeeded<N extends OperationName> extends SucceededWrite {
  parsed: ParsedOf<N>;
}

export type Answer<N extends OperationName> = (write: Succeeded<N>) => object;
/** An answer for each of some operations. */
export type Answers<N extends OperationName> = { [K in N]: Answer<K> };
