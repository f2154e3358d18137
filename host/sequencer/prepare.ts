// From a parsed, authenticated write to the input of the pipeline.
// Keeps: what is costly to work out is worked out only for a write that would be taken: a stranger's megabyte is
// refused by the state before it is scored.

import type { Identities } from '../execution/identity.ts';
import { entryInput } from '../execution/intake.ts';
import { type Credentials, type KeyAttachment, probeCommand, toCommand } from '../execution/translate.ts';
import type { EntryInput } from '../ordering/block.ts';
import type { OpenEntry } from '../wire/entry.ts';
import type { Parsed } from '../wire/operations.ts';
import type { Sequencer } from './sequencer.ts';

export interface Admittance {
  open: OpenEntry;
  parsed: Parsed;
  credentials: Credentials;
  attachment: KeyAttachment | undefined;
  /** Acting agent as the queue counts it. */
  owner: string;
}

/** Errors: those of translation, and of `Pipeline.admit` for a write whose command is costly. */
export function prepare(pipeline: Pick<Sequencer, 'admit'>, ids: Identities, a: Admittance): EntryInput {
  const { open, parsed, credentials } = a;
  const probe = probeCommand(parsed, open.id, credentials, ids);
  if (probe) pipeline.admit({ input: entryInput(open, parsed, { command: probe }), owner: a.owner });
  return entryInput(open, parsed, toCommand(parsed, open.id, credentials, a.attachment, ids));
}
