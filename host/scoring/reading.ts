// A task and an output read together: both as word ids of one lexicon, and the task's terms.
// Keeps: the output is the text that protocol 6.14 scores, cut at exactly 262,144 bytes, and never changed.

import { concat, toHex, utf8 } from '../wire/bytes.ts';
import { sha256 } from '../wire/hash.ts';
import { plainContent } from './evidence.ts';
import { Lexicon } from './lexicon.ts';
import { SCORED_BYTES } from './policy.ts';
import { GRAM, SequenceSet } from './sequence-set.ts';
import type { Submission, TaskContract } from './types.ts';
import { CLASS_OF, STOP, VOCABULARY } from './vocabulary.ts';

/** The part of a submission that is scored. */
export interface Output {
  /** At most 262,144 bytes of UTF-8. */
  readonly bytes: Uint8Array;
  readonly isPlain: boolean;
  /** SHA-256 of the content as sent, 64 hex digits; undefined without content. */
  readonly contentHash: string | undefined;
  readonly salt: Uint8Array;
}

const NOTHING = new Uint8Array(0);
const LINE_FEED = new Uint8Array([10]);

/** `out` of protocol 6.14: the plain content, else nothing: what the worker says about a result is not the result. */
export function outputOf(submission: Submission): Output {
  const { result_content: content } = submission;
  const sent = content ? utf8(content) : undefined;
  const digest = sent && sha256(sent);
  const contentHash = digest && toHex(digest);
  if (plainContent(submission) !== undefined) {
    return { bytes: sent!.subarray(0, SCORED_BYTES), isPlain: true, contentHash, salt: digest! };
  }
  return { bytes: NOTHING, isPlain: false, contentHash, salt: sha256(NOTHING) };
}

/** Shortest word that can be a term, in bytes. */
const TERM_BYTES = 3;
/** Marks of a word by id. */
const IS_TERM = 1;
const IS_IN_OUTPUT = 2;
const IS_IN_TASK = 4;

/** A number from a part of the salt that the lexicon does not use. */
const seedOf = (salt: Uint8Array): number => new DataView(salt.buffer, salt.byteOffset).getInt32(8);

export class Reading {
  readonly lexicon: Lexicon;
  /** Words of the output in order. */
  readonly words: Int32Array;
  /** Byte offsets of these words in the output. */
  readonly starts: Uint32Array;
  /** Words of title, description and criteria in order. */
  readonly taskWords: Int32Array;
  /** Words of each criterion: [from, to) in taskWords. */
  readonly criteria: readonly (readonly [number, number])[];
  /** The task's four-word sequences. */
  readonly taskGrams: SequenceSet;
  private readonly marks: Uint8Array;

  constructor(contract: TaskContract, output: Output) {
    const parts = [contract.title, contract.description, ...contract.success_criteria].map(utf8);
    const spaced = parts.flatMap((part) => [part, LINE_FEED]);
    const bytes = concat(VOCABULARY, ...spaced, output.bytes);
    this.lexicon = new Lexicon(bytes, output.salt);
    this.lexicon.read(0, VOCABULARY.length, new Int32Array(CLASS_OF.length), 0);

    const outputFrom = bytes.length - output.bytes.length;
    const taskIds = new Int32Array((outputFrom - VOCABULARY.length + 1) >> 1);
    let from = VOCABULARY.length;
    let at = 0;
    const ranges = parts.map((part) => {
      const first = at;
      at = this.lexicon.read(from, from + part.length, taskIds, at);
      from += part.length + 1;
      return [first, at] as const;
    });
    this.taskWords = taskIds.subarray(0, at);
    this.criteria = ranges.slice(2);

    const ids = new Int32Array((output.bytes.length + 1) >> 1);
    const starts = new Uint32Array(ids.length);
    const count = this.lexicon.read(outputFrom, bytes.length, ids, 0, starts);
    this.words = ids.subarray(0, count);
    this.starts = starts.subarray(0, count).map((start) => start - outputFrom);
    this.taskGrams = new SequenceSet(this.taskWords, at, seedOf(output.salt));
    for (let i = 0; i + GRAM <= at; i++) this.taskGrams.add(i, GRAM);
    this.marks = this.markWords();
  }

  private markWords(): Uint8Array {
    const { lexicon } = this;
    const marks = new Uint8Array(lexicon.count);
    for (const id of this.taskWords) {
      const isStop = id < CLASS_OF.length && (CLASS_OF[id]! & STOP) !== 0;
      marks[id] = lexicon.lengthOf(id) >= TERM_BYTES && !isStop ? IS_TERM | IS_IN_TASK : IS_IN_TASK;
    }
    for (const id of this.words) marks[id]! |= IS_IN_OUTPUT;
    return marks;
  }

  /** Whether the word is one of the task's terms. */
  isTerm(id: number): boolean {
    return (this.marks[id]! & IS_TERM) !== 0;
  }

  /** Whether the word occurs in the output. */
  isInOutput(id: number): boolean {
    return (this.marks[id]! & IS_IN_OUTPUT) !== 0;
  }

  /** Whether the word occurs in the task's text. */
  isInTask(id: number): boolean {
    return (this.marks[id]! & IS_IN_TASK) !== 0;
  }

  /** Whether one of the output's words has this class of the vocabulary. */
  hasWordOf(bit: number): boolean {
    for (let id = 0; id < CLASS_OF.length; id++) {
      if ((CLASS_OF[id]! & bit) !== 0 && this.isInOutput(id)) return true;
    }
    return false;
  }
}
