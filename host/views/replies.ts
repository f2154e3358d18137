// The answer bodies of writes, from the outcome of the very transaction: the state right after it, not after its
// group; of tasks and listings the documents as they stand after it.
// A table for each domain stands in answers/.

import type { TxOutcome } from '../core/outcomes.ts';
import type { EntryInput } from '../ordering/block.ts';
import { toHex } from '../wire/bytes.ts';
import type { OperationName, ParsedOf } from '../wire/operations.ts';
import { CASE_ANSWERS } from './answers/cases.ts';
import { LEDGER_ANSWERS } from './answers/ledger.ts';
import { MARKET_ANSWERS } from './answers/market.ts';
import { PLATFORM_ANSWERS } from './answers/platform.ts';
import { TASK_ANSWERS } from './answers/tasks.ts';
import type { Answer, Answers, ReplyContext } from './answers/types.ts';
import { VALIDATOR_ANSWERS } from './answers/validators.ts';

export type { ReplyContext } from './answers/types.ts';

/** One answer for each operation. */
const ANSWERS: Answers<OperationName> = {
  ...LEDGER_ANSWERS,
  ...TASK_ANSWERS,
  ...MARKET_ANSWERS,
  ...PLATFORM_ANSWERS,
  ...CASE_ANSWERS,
  ...VALIDATOR_ANSWERS,
};

/** Body of a successful write. Source: protocol 3.2, 3.6, 4. */
export function replyOf(input: EntryInput, outcome: TxOutcome, c: ReplyContext): object {
  const words = outcome.words as number[];
  const base = { event_id: toHex(outcome.txId), agent_id: c.ids.agentId(words[0]!) };
  const parsed = input.parsed! as ParsedOf<OperationName>;
  // Name and answer belong together; the type system can't say so for a table.
  const answer = ANSWERS[parsed.name] as Answer<OperationName>;
  return answer({ parsed, input, outcome, words, base, c });
}
