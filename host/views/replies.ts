// The answer bodies of writes. Amounts come from the transaction's own outcome, so they show the state right after it,
// not after its batch; documents of tasks and validators are those after the batch.
// The tables, one for each domain, are in answers/.

import type { TxOutcome } from '../core/outcomes.ts';
import type { EntryInput } from '../ordering/block.ts';
import { toHex } from '../wire/bytes.ts';
import type { OperationName, ParsedOf } from '../wire/operations.ts';
import { CASE_ANSWERS } from './answers/cases.ts';
import { LEDGER_ANSWERS } from './answers/ledger.ts';
import { MARKET_ANSWERS } from './answers/market.ts';
import { PLATFORM_ANSWERS } from './answers/platform.ts';
import { PROGRAM_ANSWERS } from './answers/programs.ts';
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
  ...PROGRAM_ANSWERS,
  ...CASE_ANSWERS,
  ...VALIDATOR_ANSWERS,
};

/** Body of a successful write. Source: protocol 3.2, 3.6, 4. */
export function replyOf(input: EntryInput, outcome: TxOutcome, c: ReplyContext): object {
  const words = outcome.words as number[];
  const base = { event_id: toHex(outcome.txId), agent_id: c.ids.agentId(words[0]!) };
  const parsed = input.parsed! as ParsedOf<OperationName>;
  // The answer fits the name, which the type system cannot express for a table.
  const answer = ANSWERS[parsed.name] as Answer<OperationName>;
  return answer({ parsed, input, outcome, words, base, c });
}
