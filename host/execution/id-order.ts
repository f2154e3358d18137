// The ids of all agents and their sort order, without a million strings on the heap: the first eight characters of each id
// as two numbers (the head), the rest as bytes in pages. Ids are ASCII, so this is their byte order.
// Keeps: the store is never read to get or compare ids. The rest of an id that is a public key is not kept: the core has
// the key (`keyOf`), and two keys rarely share eight hex digits.

import type { AgentDoc } from '../store/documents.ts';
import { rangeOf, readU32, writeU32 } from '../store/prefixes.ts';
import { sortInSteps } from '../store/sort-in-steps.ts';
import { readJson } from '../store/write-set.ts';
import { latin1 } from '../wire/latin1.ts';
import type { Store } from '../world/store.ts';

const HEAD_WORDS = 2;
const HEAD_CHARS = 4 * HEAD_WORDS;
const PAGE_BITS = 18;
const PAGE_BYTES = 1 << PAGE_BITS;
/** Rows that are read in a step of `load`. */
const ROWS_OF_STEP = 512;
const IS_KEY = /^[0-9a-f]{64}$/;
/** For decoding one id. */
const scratch = new Uint8Array(64);

function grown(words: Uint32Array<ArrayBuffer>, length: number): Uint32Array<ArrayBuffer> {
  if (length <= words.length) return words;
  const out = new Uint32Array(Math.max(2 * words.length, length));
  out.set(words);
  return out;
}

export class IdOrder {
  #heads = new Uint32Array(HEAD_WORDS * 1024);
  /** Offset of the rest of each id: a byte for its length, then its characters; 0: not kept. */
  #rests = new Uint32Array(1024);
  readonly #pages: Uint8Array[] = [];
  /** One bit for each agent: it has a display name. */
  #named = new Uint32Array(32);
  /** Next free offset, counted over all pages; 0 is not used. */
  #end = 1;

  /** `keyOf`: id of an agent whose id is its public key. */
  constructor(private readonly keyOf: (agent: number) => string) {}

  /** Reads the ids of all agents once, at a start, in steps. Those that register meanwhile are added by `set`. */
  async *load(store: Store): AsyncGenerator<void, void> {
    let rows = 0;
    for await (const [key, value] of store.scan(rangeOf('a'))) {
      this.set(readU32(key, 1), readJson<AgentDoc>(value)!);
      if (++rows % ROWS_OF_STEP === 0) yield;
    }
  }

  /** Adds the names of an agent, which never change; a second call does nothing. */
  set(agent: number, { id, name }: AgentDoc): void {
    const at = agent * HEAD_WORDS;
    if (this.#heads[at]) return;
    this.#heads = grown(this.#heads, at + HEAD_WORDS);
    this.#rests = grown(this.#rests, agent + 1);
    this.#named = grown(this.#named, (agent >>> 5) + 1);
    if (name !== undefined) this.#named[agent >>> 5]! |= 1 << (agent & 31);
    for (let word = 0; word < HEAD_WORDS; word++) {
      let value = 0;
      for (let i = 0; i < 4; i++) value = (value << 8) | (id.charCodeAt(4 * word + i) || 0);
      this.#heads[at + word] = value >>> 0;
    }
    this.#rests[agent] = IS_KEY.test(id) ? 0 : this.#keep(id);
  }

  /** Stores the rest of an id and returns its offset. A rest never spans two pages. */
  #keep(id: string): number {
    const length = Math.max(0, id.length - HEAD_CHARS);
    if ((this.#end & (PAGE_BYTES - 1)) + 1 + length > PAGE_BYTES) {
      this.#end = ((this.#end >>> PAGE_BITS) + 1) * PAGE_BYTES;
    }
    const offset = this.#end;
    if (offset >>> PAGE_BITS === this.#pages.length) this.#pages.push(new Uint8Array(PAGE_BYTES));
    const page = this.#pages[offset >>> PAGE_BITS]!;
    let at = offset & (PAGE_BYTES - 1);
    page[at++] = length;
    for (let i = 0; i < length; i++) page[at++] = id.charCodeAt(HEAD_CHARS + i);
    this.#end = offset + 1 + length;
    return offset;
  }

  /** Id of an agent; undefined if it was not added. */
  text(agent: number): string | undefined {
    const at = agent * HEAD_WORDS;
    if (!this.#heads[at]) return undefined;
    const rest = this.#rests[agent]!;
    if (rest === 0) return this.keyOf(agent);
    for (let word = 0; word < HEAD_WORDS; word++) writeU32(scratch, this.#heads[at + word]!, 4 * word);
    const page = this.#pages[rest >>> PAGE_BITS]!;
    const from = rest & (PAGE_BYTES - 1);
    const length = page[from]!;
    for (let i = 0; i < length; i++) scratch[HEAD_CHARS + i] = page[from + 1 + i]!;
    let end = HEAD_CHARS + length;
    // A head of fewer characters ends in zeros.
    while (scratch[end - 1] === 0) end--;
    return latin1(scratch, 0, end);
  }

  /** Does an added agent have a display name. */
  isNamed(agent: number): boolean {
    return (this.#named[agent >>> 5]! & (1 << (agent & 31))) !== 0;
  }

  /** Negative when agent `a` comes first, positive when `b` does, 0 for the same agent. */
  compare(a: number, b: number): number {
    for (let word = 0; word < HEAD_WORDS; word++) {
      const difference = this.#heads[a * HEAD_WORDS + word]! - this.#heads[b * HEAD_WORDS + word]!;
      if (difference !== 0) return difference;
    }
    const [x, y] = [this.#rests[a]!, this.#rests[b]!];
    if (x !== 0 && y !== 0) return this.#compareRests(x, y);
    const [p, q] = [this.text(a)!, this.text(b)!];
    return p < q ? -1 : p > q ? 1 : 0;
  }

  #compareRests(x: number, y: number): number {
    const [p, q] = [this.#pages[x >>> PAGE_BITS]!, this.#pages[y >>> PAGE_BITS]!];
    let i = x & (PAGE_BYTES - 1);
    let j = y & (PAGE_BYTES - 1);
    const shorter = Math.min(p[i]!, q[j]!);
    const longer = p[i]! - q[j]!;
    for (let left = shorter; left > 0; left--) {
      const difference = p[++i]! - q[++j]!;
      if (difference !== 0) return difference;
    }
    return longer;
  }

  /** Agents 0 to `count` - 1, which must all have been added, by agent_id: O(n log n), in steps. */
  *sorted(count: number): Generator<void, Uint32Array<ArrayBuffer>> {
    const agents = Uint32Array.from({ length: count }, (_, agent) => agent);
    yield* sortInSteps(agents, (a, b) => this.compare(a, b));
    return agents;
  }
}
