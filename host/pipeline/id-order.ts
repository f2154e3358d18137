// The order of agents by agent_id without holding a million texts: the first eight characters of each id as two
// numbers; only where those are equal are the ids themselves looked at. Ids are ASCII, so this is their byte order.

import type { AgentDoc } from '../store/documents.ts';
import { rangeOf, readU32 } from '../store/prefixes.ts';
import type { Store } from '../store/store.ts';
import { readJson } from '../store/write-set.ts';

const HEAD_WORDS = 2;

export class IdOrder {
  #heads = new Uint32Array(HEAD_WORDS * 1024);

  constructor(private readonly idOf: (agent: number) => string) {}

  /** Reads the ids of all agents once, at start. */
  async load(store: Store): Promise<void> {
    for await (const [key, value] of store.scan(rangeOf('a'))) {
      this.set(readU32(key, 1), readJson<AgentDoc>(value)!.id);
    }
  }

  set(agent: number, id: string): void {
    const at = agent * HEAD_WORDS;
    if (at >= this.#heads.length) {
      const grown = new Uint32Array(Math.max(2 * this.#heads.length, at + HEAD_WORDS));
      grown.set(this.#heads);
      this.#heads = grown;
    }
    for (let word = 0; word < HEAD_WORDS; word++) {
      let value = 0;
      for (let i = 0; i < 4; i++) value = (value << 8) | (id.charCodeAt(4 * word + i) || 0);
      this.#heads[at + word] = value >>> 0;
    }
  }

  compare(a: number, b: number): number {
    for (let word = 0; word < HEAD_WORDS; word++) {
      const difference = this.#heads[a * HEAD_WORDS + word]! - this.#heads[b * HEAD_WORDS + word]!;
      if (difference !== 0) return difference;
    }
    const [x, y] = [this.idOf(a), this.idOf(b)];
    return x < y ? -1 : x > y ? 1 : 0;
  }
}
