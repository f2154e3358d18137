// What a check is asked and what it answers, as bytes (protocol 14.2).
//
//   input:   u32 1, u32 number of parts, then for each part u32 place from the beginning, u32 length; then the parts:
//            parameters, task fields, delivery, seed. All integers are little-endian.
//   outcome: u8 verdict, u8 zero, u16 score in bp, reason in UTF-8
//
// Keeps: bytes of a program are read as untrusted; a reason has nothing that changes how other text is shown.

import type { Execution } from './execute.ts';
import { MAX_REASON_BYTES, MAX_SCORE_BPS } from './limits.ts';

export const INPUT_VERSION = 1;
export const INPUT_PARTS = ['parameters', 'fields', 'delivery', 'seed'] as const;
/** Empty where there is none. */
export type CheckInput = Readonly<Record<(typeof INPUT_PARTS)[number], Uint8Array>>;

const HEADER_BYTES = 8;
const ROW_BYTES = 8;
const PARTS_FROM = HEADER_BYTES + ROW_BYTES * INPUT_PARTS.length;

export const inputBytes = (input: CheckInput): number =>
  INPUT_PARTS.reduce((sum, part) => sum + input[part].length, PARTS_FROM);

export function packInput(input: CheckInput): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(inputBytes(input));
  const view = new DataView(bytes.buffer);
  view.setUint32(0, INPUT_VERSION, true);
  view.setUint32(4, INPUT_PARTS.length, true);
  let at = PARTS_FROM;
  for (const [i, part] of INPUT_PARTS.entries()) {
    view.setUint32(HEADER_BYTES + ROW_BYTES * i, at, true);
    view.setUint32(HEADER_BYTES + ROW_BYTES * i + 4, input[part].length, true);
    bytes.set(input[part], at);
    at += input[part].length;
  }
  return bytes;
}

export const VERDICTS = ['fail', 'pass', 'bad_parameters'] as const;
export type Verdict = (typeof VERDICTS)[number];

/**
 * `fail` and `pass` are judgements of the delivery. `bad_parameters`: the contract is at fault, whatever is delivered.
 * All others: the program gave no answer; `bad_output` is one that is not of the form above.
 */
export interface CheckOutcome {
  end: Verdict | Exclude<Execution['end'], 'returned'> | 'bad_output';
  scoreBps: number;
  reason: string;
  fuel: number;
}

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
/** Controls, and what turns the direction of text. */
const UNSHOWABLE = /[\p{Cc}\u200e\u200f\u061c\u2028-\u202e\u2066-\u2069]/u;

function readAnswer(output: Uint8Array): Omit<CheckOutcome, 'fuel'> | undefined {
  if (output.length < 4 || output.length > 4 + MAX_REASON_BYTES || output[1] !== 0) return undefined;
  const end = VERDICTS[output[0]!];
  const scoreBps = output[2]! | (output[3]! << 8);
  if (end === undefined || scoreBps > MAX_SCORE_BPS) return undefined;
  try {
    const reason = decoder.decode(output.subarray(4));
    return UNSHOWABLE.test(reason) ? undefined : { end, scoreBps, reason };
  } catch {
    return undefined;
  }
}

/** The outcome of a check's run. */
export function readOutcome({ end, output, fuel }: Execution): CheckOutcome {
  if (end !== 'returned') return { end, scoreBps: 0, reason: '', fuel };
  return { ...(readAnswer(output) ?? { end: 'bad_output', scoreBps: 0, reason: '' }), fuel };
}
