// The gates: yes-or-no conditions beside the score, in the order of GATE_NAMES. Three of them are facts (FACT_NAMES) and
// decide about money; all others are advice for who reads the answer.
// Keeps: the gates of the formulas come first; the filler gates in filler/ examine only what these let through; nothing
// that the worker says about its own result enters a gate. Source: protocol 6.14.

import { GATE_NAMES, type GateName } from '../wire/check-names.ts';
import { bareHash } from './evidence.ts';
import { type FillerGate, fillerGates } from './filler/gates.ts';
import type { Submission, TaskContract } from './types.ts';
import type { Work } from './verifiers.ts';

export { CHECK_NAMES } from '../wire/check-names.ts';

const MIN_OUTPUT_BYTES = 10;
const ECHO_FROM_WORDS = 8;
const ECHO_BP = 8000;
const REPETITION_FROM_WORDS = 50;
const REPETITION_BP = 1500;

type FormulaGate = Exclude<GateName, FillerGate | 'threshold'>;
type Holds = (work: Work, submission: Submission) => boolean;
/** Gates by name in the order of GATE_NAMES; true: holds. */
export type GateMap = Readonly<Record<GateName, boolean>>;

function isHashValid({ output }: Work, { result_hash: given }: Submission): boolean {
  const bare = bareHash(given ?? '');
  return output.contentHash === undefined ? bare !== '' : !given || bare === output.contentHash;
}

/** False for the task's own description or title, byte for byte. */
export const isNewText = (
  { description, title }: Pick<TaskContract, 'description' | 'title'>,
  content: string,
): boolean => content !== description && content !== title;

const FORMULA_GATES: Readonly<Record<FormulaGate, Holds>> = {
  has_output: (_work, { result_content, result_uri }) => Boolean(result_content) || Boolean(result_uri),
  min_length: ({ output }) => !output.isPlain || output.bytes.length >= MIN_OUTPUT_BYTES,
  hash_valid: isHashValid,
  not_description: ({ contract }, { result_content }) =>
    !result_content || isNewText(contract, result_content),
  not_echo: ({ reading, measures }) => reading.words.length < ECHO_FROM_WORDS || measures.echo < ECHO_BP,
  not_repetitive: ({ reading, measures }) =>
    reading.words.length < REPETITION_FROM_WORDS || measures.div >= REPETITION_BP,
};

/** All gates of a piece of work. `reachesThreshold`: the overall score reaches the threshold of its category. */
export function gatesOf(work: Work, submission: Submission, reachesThreshold: boolean): GateMap {
  const formulas = Object.entries(FORMULA_GATES).map(
    ([name, holds]) => [name, holds(work, submission)] as const,
  );
  const isPassing = reachesThreshold && formulas.every(([, holds]) => holds);
  const gates = {
    ...Object.fromEntries(formulas),
    ...fillerGates(work, isPassing),
    threshold: reachesThreshold,
  } as GateMap;
  return Object.fromEntries(GATE_NAMES.map((name) => [name, gates[name]])) as GateMap;
}
