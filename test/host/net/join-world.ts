// A network to join, without sockets: a node that has sealed a few epochs and serves its state, links that can be cut and
// whose messages can be altered, and a store that joins.

import type { HostPort } from '../../../host/config/config.ts';
import { openImplementation } from '../../../host/crypto/implementation.ts';
import { type KeyPair, keyPairFromSeed } from '../../../host/crypto/key-pair.ts';
import * as recovery from '../../../host/execution/recovery.ts';
import { helloOf } from '../../../host/net/hello.ts';
import { type JoinOptions, join } from '../../../host/net/join.ts';
import { type Row, SERVED } from '../../../host/net/join-rows.ts';
import { JoinServer } from '../../../host/net/join-server.ts';
import { decodeMessage, encodeMessage, type Message } from '../../../host/net/messages.ts';
import { genesisEpoch } from '../../../host/ordering/epoch.ts';
import { DocumentRoot } from '../../../host/store/document-root.ts';
import { MemoryStore } from '../../../host/store/memory-store.ts';
import { taskKey } from '../../../host/store/task-rows.ts';
import { WriteSet } from '../../../host/store/write-set.ts';
import { EPOCH_LIMITS, type EpochLimits } from '../../../host/wire/block.ts';
import { fromHex, toHex } from '../../../host/wire/bytes.ts';
import { stateRootOf } from '../../../host/wire/document-proof.ts';
import { encodeEntry, openEntry } from '../../../host/wire/entry.ts';
import { taskId } from '../../../host/wire/ids.ts';
import type { Store } from '../../../host/world/store.ts';
import { systemClock } from '../../../host/world/system/clock.ts';
import { systemWorld } from '../../../host/world/system/world.ts';
import type { Link, Transport } from '../../../host/world/transport.ts';
import {
  assemble,
  freshCore,
  genesisOf,
  order,
  type Parts,
  SEAT_KEY,
  seedOf,
  signedEntry,
} from '../one-node/harness.ts';
import { heavyManifest } from '../one-node/manifests.ts';
import { MemoryLink } from './memory-transport.ts';

/** An epoch seals after eighteen blocks: ten writes are not enough for that. */
const LIMITS: EpochLimits = { ...EPOCH_LIMITS, blocks: 18 };
// Seats 1 to 4 of those that are absent lose their weight at the second seal.
export const NET = {
  manifest: heavyManifest(8, 0.8),
  params: { min_participants: '1', silence_epochs: '2', silence_secs: '8' },
  limits: LIMITS,
};
export const GENESIS = genesisOf(NET);
const ANSWER_BYTES = 5000;
const JOINER = keyPairFromSeed(seedOf(90));
const agentKey = (n: number): KeyPair => {
  const seed = seedOf(91);
  seed[0] = n;
  return keyPairFromSeed(seed);
};

/** What a giver sends in place of an answer; 'cut' ends the link, undefined sends nothing. */
export type Tamper = (answer: Message) => Message | 'cut' | undefined;

/** A node that has sealed a few epochs. */
export class Giver {
  tamper: Tamper = (answer) => answer;
  dials = 0;
  /** How late it answers. */
  delayMs = 0;
  onQuestion: (question: Message) => void = () => {};
  /** Ids of the tasks that were posted. */
  readonly ids = new Set<string>();

  private constructor(
    public parts: Parts,
    readonly serving: JoinServer,
    /** Gives the state at the first seal only. */
    private readonly older: JoinServer,
  ) {}

  /** Another node of the same network, in the same state; `isOlder`: one that serves an older state. */
  twin(isOlder = false): Giver {
    return new Giver(this.parts, isOlder ? this.older : this.serving, this.older);
  }

  /** Eleven agents, a task with its result, and as many seals as asked for, then some more writes. */
  static async make(seals = 2, snapshotOrders = 1): Promise<Giver> {
    const parts = await assemble({ ...NET, snapshotOrders, snapshotsAtSeals: true });
    parts.ordering.attach(parts.executor, true);
    const serving = (): JoinServer =>
      new JoinServer({
        store: parts.store,
        log: QUIET,
        genesis: genesisEpoch(GENESIS, LIMITS),
        monotonicMs: () => systemClock.monotonicMs(),
        answerBytes: ANSWER_BYTES,
      });
    const giver = new Giver(parts, serving(), serving());
    await giver.#live(seals);
    return giver;
  }

  async #live(seals: number): Promise<void> {
    const [poster, worker] = [agentKey(1), agentKey(2)];
    for (const n of [1, 2, 3]) await this.write(agentKey(n), '/v1/agents', {});
    const task = { title: 'Harbour traffic', description: 'Count vessels', budget: 10_000_000 };
    const id = taskId(await this.write(poster, '/v1/tasks', task));
    this.ids.add(id);
    await this.write(worker, `/v1/tasks/${id}/claim`, {});
    await this.write(worker, `/v1/tasks/${id}/submit`, {
      result_content: 'Vessels of May: 212, all counted.',
    });
    if (seals > 0) await this.#fill(poster, worker);
    for (let n = 4; this.parts.ordering.epoch.number < seals && n < 200; n++)
      await this.write(agentKey(n), '/v1/agents', {});
    for (let n = 201; n <= 204; n++) await this.write(agentKey(n), '/v1/agents', {});
  }

  /** Documents that are open at the seals: a listing, a task, a transfer. */
  async #fill(poster: KeyPair, worker: KeyPair): Promise<void> {
    await this.write(worker, '/v1/registry', { name: 'Vessel counter', category: 'research' });
    const task = { title: 'Lighthouse log', description: 'Copy it', budget: 10_000_000 };
    this.ids.add(taskId(await this.write(poster, '/v1/tasks', task)));
    const transfer = { to_agent: worker.publicKeyHex, amount: 1_000_000, memo: 'for May' };
    await this.write(SEAT_KEY, '/v1/transfer', transfer);
  }

  /** The process ends without notice, and another one starts on what is on disk. */
  async crash(): Promise<void> {
    const { store, clock } = this.parts;
    this.parts = await assemble({ ...NET, store, clock, snapshotOrders: 50, snapshotsAtSeals: true });
    this.parts.ordering.attach(this.parts.executor, true);
  }

  /** One transaction, final and stored; its id. */
  async write(key: KeyPair, path: string, body: Record<string, unknown>): Promise<string> {
    this.parts.clock.ms += 500;
    const entry = signedEntry(this.parts.clock, key, path, body);
    let waiting = [encodeEntry(entry)];
    do {
      await order(this.parts, waiting);
      waiting = [];
    } while (this.#isAtSeal());
    return toHex(openEntry(entry).id);
  }

  #isAtSeal(): boolean {
    const { ordering } = this.parts;
    if (!ordering.resumeAfterSeal()) return false;
    this.serving.onSeal(ordering.epoch.number);
    if (ordering.epoch.number === 1) this.older.onSeal(1);
    return true;
  }

  keyOf = agentKey;

  /** Key of the row of a task's changing part. */
  stateRow(task: string): Uint8Array {
    return taskKey('state', fromHex(task)!);
  }

  get root(): string {
    return toHex(this.parts.ids.state.core.stateHash());
  }

  /** As a checkpoint at the head would state it. */
  get stateRoot(): string {
    const documents = new DocumentRoot(this.parts.store).update(new WriteSet(this.parts.store));
    return toHex(stateRootOf(this.parts.ids.state.core.stateHash(), documents));
  }

  /** Takes a link and answers as a node does. */
  serve(link: Link): void {
    this.dials += 1;
    const send = (message: Message): void => link.send(encodeMessage(message));
    link.open({
      onMessage: (bytes) => {
        const question = decodeMessage(bytes)!;
        this.onQuestion(question);
        if (question.type === 'seals') this.#answer(link, this.serving.seals(question.from));
        if (question.type !== 'fetch') return;
        void this.serving
          .rows('joiner', question.epoch, question.after)
          .then((served) => served && this.#answer(link, served.answer));
      },
      onClose() {},
    });
    send(helloOf(GENESIS, false));
    const { block, order } = this.parts.ordering.head;
    send({
      type: 'head',
      epoch: this.parts.ordering.epoch.number,
      vertexCount: 1,
      block,
      order,
      signed: 0,
      isOpen: true,
      from: { epoch: 0, order: 1, seq: 1 },
      seqs: [1],
    });
  }

  #answer(link: Link, honest: Message): void {
    const answer = this.tamper(honest);
    if (answer === 'cut') link.close('cut');
    else if (answer && this.delayMs > 0) setTimeout(() => link.send(encodeMessage(answer)), this.delayMs);
    else if (answer) link.send(encodeMessage(answer));
  }
}

export const QUIET = { debug() {}, info() {}, warn() {}, error() {} };

/** Nodes by port: 1 is the first. */
function transportTo(givers: readonly Giver[]): Transport {
  return {
    onLink() {},
    isKnown: () => false,
    listen: () => Promise.resolve(0),
    close: () => Promise.resolve(),
    async dial(_host: string, port: number) {
      const giver = givers[port - 1];
      if (!giver) throw new Error('connection refused');
      const [here, there] = MemoryLink.pair(JOINER.publicKey, new Uint8Array(32).fill(port));
      setImmediate(() => giver.serve(there));
      return here;
    },
  };
}

export interface Joined {
  store: Store;
  result: Awaited<ReturnType<typeof join>>;
  /** What was logged as warning or error. */
  complaints: string[];
}

/** A node with an empty store joins. */
export async function joinFrom(givers: readonly Giver[], over: Partial<JoinOptions> = {}): Promise<Joined> {
  const store = over.store ?? new MemoryStore();
  await recovery.claimStore(store, GENESIS);
  const complaints: string[] = [];
  const note = (fields: Record<string, unknown> | string): void => {
    complaints.push(JSON.stringify(fields));
  };
  const addresses: HostPort[] = givers.map((_, i) => ({ host: 'memory', port: i + 1 }));
  const result = await join({
    transport: transportTo(givers),
    clock: systemClock,
    genesis: GENESIS,
    ownKey: JOINER.publicKeyHex,
    store,
    log: { ...QUIET, warn: note, error: note },
    addresses,
    isWanted: false,
    verify: openImplementation('noble', systemWorld),
    roomBytes: () => Number.POSITIVE_INFINITY,
    openCore: async () => freshCore(GENESIS),
    limits: LIMITS,
    ...over,
  });
  return { store, result, complaints };
}

/** Rows of the served prefixes, and those of all others by their letter. */
export async function rowsOf(store: Store): Promise<{ given: Row[]; others: Set<string> }> {
  const given: Row[] = [];
  const others = new Set<string>();
  for await (const [key, value] of store.scan({ gte: Uint8Array.of(0), lt: Uint8Array.of(0xff) })) {
    const letter = String.fromCharCode(key[0]!);
    if (SERVED.some((prefix) => prefix === letter)) given.push([key, value]);
    else others.add(letter);
  }
  return { given, others };
}
