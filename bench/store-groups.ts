// What the node really writes: the batches of its executor for groups of transfers, captured on their way to a store.
// Keeps: documents, lists, log and head exactly as a node of this version writes them.

import { keyPairFromSeed } from '../host/crypto/key-pair.ts';
import { MemoryStore } from '../host/store/memory-store.ts';
import type { BatchOp } from '../host/world/store.ts';
import { Chain } from '../tools/history/chain.ts';
import { signedEntry } from '../tools/history/requests.ts';
import { SeededRandom } from '../tools/load/seeded-random.ts';

const TOKEN = 1_000_000;
const SENDERS = 32;
const VERTEX_MS = 1000;
const NEVER = 1_000_000_000;

/** A memory store that records the batches written to it. */
class RecordingStore extends MemoryStore {
  batches: BatchOp[][] = [];

  override async write(ops: readonly BatchOp[]): Promise<void> {
    this.batches.push(
      Array.from(ops, ({ key, value }) => ({ key: key.slice(), value: value?.slice() }) as BatchOp),
    );
    await super.write(ops);
  }
}

/** Makes groups of transfers, one after the other on one chain. */
export class GroupMaker {
  private constructor(
    private readonly chain: Chain,
    private readonly store: RecordingStore,
    private readonly keys: ReturnType<typeof keyPairFromSeed>[],
    private readonly random: SeededRandom,
    private nowMs: number,
  ) {}

  static async begin(seed: number): Promise<GroupMaker> {
    const random = new SeededRandom(seed);
    const store = new RecordingStore();
    const chain = await Chain.open(store, keyPairFromSeed(random.bytes(32)), NEVER);
    const keys = Array.from({ length: SENDERS }, () => keyPairFromSeed(random.bytes(32)));
    const maker = new GroupMaker(chain, store, keys, random, 1_800_000_000_000);
    const body = { initial_stake: 10_000 * TOKEN };
    await chain.order(
      keys.map((key) => maker.entry(key, '/v1/agents', body)),
      maker.nowMs,
    );
    return maker;
  }

  /** The batches of `count` groups of `size` transfers each. */
  async groups(count: number, size: number): Promise<BatchOp[][]> {
    this.store.batches = [];
    for (let i = 0; i < count; i++) {
      this.nowMs += VERTEX_MS;
      const entries = Array.from({ length: size }, () => this.transfer());
      await this.chain.order(entries, this.nowMs);
    }
    return this.store.batches;
  }

  private transfer(): Uint8Array {
    const from = this.random.below(SENDERS);
    const to = this.keys[(from + 1 + this.random.below(SENDERS - 1)) % SENDERS]!;
    const body = { to_agent: to.publicKeyHex, amount: this.random.between(1, 10_000), memo: 'for work done' };
    return this.entry(this.keys[from]!, '/v1/transfer', body);
  }

  private entry(key: (typeof this.keys)[number], path: string, body: Record<string, unknown>): Uint8Array {
    const nowSecs = Math.floor(this.nowMs / 1000);
    const { chainId } = this.chain.genesis;
    return signedEntry(key, { chainId, path, body, nowSecs, nonce: this.random.bytes(16) }).bytes;
  }
}
