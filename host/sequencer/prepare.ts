// From a parsed, authenticated write to the input of the sequencer.
// Keeps: costly parts are computed only for a write that would be accepted: a stranger's megabyte is refused by the state
// before it is scored.

import type { Identities } from '../execution/identity.ts';
import { entryInput } from '../execution/intake.ts';
import { type Credentials, type KeyAttachment, probeCommand, toCommand } from '../execution/translate.ts';
import type { EntryInput } from '../ordering/block.ts';
import type { Opened } from '../wire/entry.ts';
import type { Parsed } from '../wire/operations.ts';
import type { Sequencer } from './sequencer.ts';

export interface PrepareInput {
  open: Opened;
  parsed: Parsed;
  credentials: Credentials;
  attachment: KeyAttachment | undefined;
  /** Who the queue counts it for: see Submission. */
  owner: string;
}

/** Errors: those of translation, and of `Sequencer.admit` for a write whose command is costly. */
export function prepare(
  sequencer: Pick<Sequencer, 'admit'>,
  ids: Identities,
  { open, parsed, credentials, attachment, owner }: PrepareInput,
): EntryInput {
  const probe = probeCommand(parsed, open.id, credentials, ids);
  if (probe) sequencer.admit({ input: entryInput(open, parsed, { command: probe }), owner });
  return entryInput(open, parsed, toCommand(parsed, open.id, credentials, attachment, ids));
}
