// A text index to which documents are only added: numbered in order, found by tokens, words and joints, and given back as
// they were. A document that is dropped keeps its number and its places in the lists until the whole generation goes.
// Keeps: `rowOf` is NONE for what is dropped, so nobody who goes through rows sees it.

import { grown } from '../columns.ts';
import { AscendingLists } from './ascending-lists.ts';
import { JointIndex } from './joint-index.ts';
import { Needle } from './needle.ts';
import { TextTable } from './text-table.ts';
import { fieldTokens, joinFields, separatorLength, wordIn } from './text-tokens.ts';
import { TokenSequences } from './token-sequences.ts';
import { END } from './token-test.ts';
import { Vocabulary } from './vocabulary.ts';

/** Row of a dropped document. */
export const NONE = 0xffffffff;

/** Bytes that a document takes at least, and those of each text that it is the first to have in one of the tables. */
const DOCUMENT_BYTES = 32;
const ENTRY_BYTES = 40;

/** A set of rows. */
export interface Rows {
  addAll(rows: Uint32Array, from: number, end: number): void;
}

export class Generation {
  readonly joints: JointIndex;
  readonly #tokens: TextTable;
  readonly #parts: Vocabulary;
  /** By token: the documents. */
  readonly holders = new AscendingLists();
  readonly #words: TextTable;
  /** By word: its newest token + 1; by token: the one before with the same word, + 1, or 0. */
  #newest = new Uint32Array(16);
  #before = new Uint32Array(16);
  readonly sequences = new TokenSequences();
  /** By document. */
  #rows = new Uint32Array(16);
  /** By document: about how many bytes it takes. Texts from all over Unicode take a hundred times their length. */
  #bytes = new Uint32Array(16);
  #documents = 0;
  /** Bytes of the documents that are there, and of those that were dropped. */
  #live = 0;
  #dropped = 0;
  /** Every document has the number of its row: so it is after a start, until a text changes. */
  #isPlain = true;

  /** `seed`: see TextTable. */
  constructor(seed: number) {
    this.joints = new JointIndex(seed);
    this.#tokens = new TextTable(seed);
    this.#parts = new Vocabulary(seed);
    this.#words = new TextTable(seed);
  }

  /** Number of documents, those that were dropped included. */
  get documents(): number {
    return this.#documents;
  }

  /** Bytes of what was not dropped. */
  get live(): number {
    return this.#live;
  }

  get dropped(): number {
    return this.#dropped;
  }

  /** Numbers of tokens are below this. */
  get tokensEnd(): number {
    return this.#tokens.size;
  }

  /** Adds the lower-cased text of a row; returns the number of the document. */
  add(row: number, folded: string): number {
    const document = this.#documents++;
    const entries = this.#entries;
    const fields = fieldTokens(folded);
    const sequence: number[] = [];
    for (const { tokens } of fields) {
      for (const token of tokens) sequence.push(this.#token(token));
      sequence.push(END);
    }
    for (const token of sequence) if (token !== END) this.holders.push(token, document);
    for (const { joints } of fields) this.joints.add(document, joints);
    this.#rows = grown(this.#rows, document);
    this.#rows[document] = row;
    if (row !== document) this.#isPlain = false;
    this.sequences.add(document, sequence);
    this.#bytes = grown(this.#bytes, document);
    this.#bytes[document] = DOCUMENT_BYTES + folded.length + ENTRY_BYTES * (this.#entries - entries);
    this.#live += this.#bytes[document]!;
    return document;
  }

  /** Of the tables. */
  get #entries(): number {
    return this.#tokens.size + this.#words.size + this.#parts.size + this.joints.size;
  }

  #token(text: string): number {
    const known = this.#tokens.find(text);
    if (known !== undefined) return known;
    const token = this.#tokens.intern(text);
    this.#parts.add(token, text);
    this.#before = grown(this.#before, token);
    const word = wordIn(text);
    if (word === undefined) return token;
    const number = this.#words.intern(word);
    this.#newest = grown(this.#newest, number);
    this.#before[token] = this.#newest[number]!;
    this.#newest[number] = token + 1;
    return token;
  }

  /** The text of a document, as it was added. */
  textOf(document: number): string {
    const fields: string[] = [];
    let field = '';
    for (const token of this.sequences.of(document)) {
      if (token === END) {
        fields.push(field);
        field = '';
        continue;
      }
      const text = this.#tokens.text(token);
      // The separator before the word is in the token before, too.
      field += field === '' ? text : text.slice(separatorLength(text));
    }
    return joinFields(fields);
  }

  /** Row of a document, or NONE. */
  rowOf(document: number): number {
    return this.#rows[document]!;
  }

  bytesOf(document: number): number {
    return this.#bytes[document]!;
  }

  drop(document: number): void {
    this.#rows[document] = NONE;
    this.#live -= this.#bytes[document]!;
    this.#dropped += this.#bytes[document]!;
    this.#isPlain = false;
  }

  token(text: string): number | undefined {
    return this.#tokens.find(text);
  }

  startsWith(token: number, part: string): boolean {
    return this.#tokens.startsWith(token, part);
  }

  endsWith(token: number, part: string): boolean {
    return this.#tokens.endsWith(token, part);
  }

  /** Documents with a token, those that were dropped included. */
  countOf(token: number): number {
    return this.holders.count(token);
  }

  /** Adds the rows of the documents with a token to a set. */
  addRows(set: Rows, token: number): void {
    this.addRowsIn(set, this.holders, token);
  }

  /** Adds the rows of the documents in a list. */
  addRowsIn(set: Rows, lists: AscendingLists, list: number): void {
    const count = lists.read(list);
    const { numbers } = lists;
    let rows = this.#isPlain ? count : 0;
    for (let i = rows; i < count; i++) {
      const row = this.#rows[numbers[i]!]!;
      if (row !== NONE) numbers[rows++] = row;
    }
    set.addAll(numbers, 0, rows);
  }

  /** Tokens whose word is this one, as given by `wordsOf`. */
  tokensOfWord(word: string): number[] {
    const number = this.#words.find(word);
    const tokens: number[] = [];
    if (number === undefined) return tokens;
    for (let next = this.#newest[number]!; next !== 0; next = this.#before[next - 1]!) tokens.push(next - 1);
    return tokens;
  }

  /** Tokens that contain a part of at least TRIGRAM characters. */
  containing(part: string): Uint32Array {
    const { numbers, isExact } = this.#parts.candidates(part);
    if (isExact) return numbers;
    const needle = Needle.ofText(part);
    return numbers.filter((token) => this.#tokens.includes(token, needle));
  }

  /** Tokens that begin with such a part. */
  beginningWith(part: string): Uint32Array {
    return this.#parts.beginning(part).filter((token) => this.#tokens.startsWith(token, part));
  }

  /** Tokens that end with such a part. */
  endingWith(part: string): Uint32Array {
    return this.#parts.candidates(part).numbers.filter((token) => this.#tokens.endsWith(token, part));
  }
}
