// A whole pipeline without sockets: the real core, a store in memory, a clock in hand, real signatures.

import { readFileSync } from 'node:fs';
import { Core } from '../../../host/core/core.ts';
import { State } from '../../../host/core/state.ts';
import { type KeyPair, keyPairFromSeed } from '../../../host/crypto/key-pair.ts';
import { Checkpoints } from '../../../host/pipeline/checkpoints.ts';
import { genesisEpoch } from '../../../host/pipeline/epoch.ts';
import { EventLists } from '../../../host/pipeline/event-lists.ts';
import { Executor } from '../../../host/pipeline/executor.ts';
import { Identities } from '../../../host/pipeline/identity.ts';
import { credentialsOf, entryInput } from '../../../host/pipeline/intake.ts';
import { PendingIndex } from '../../../host/pipeline/pending-index.ts';
import { Pipeline, type Submission } from '../../../host/pipeline/pipeline.ts';
import * as recovery from '../../../host/pipeline/recovery.ts';
import { SingleSeat } from '../../../host/pipeline/single-seat.ts';
import { checkActors, toCommand } from '../../../host/pipeline/translate.ts';
import type { EventDoc } from '../../../host/store/documents.ts';
import { MemoryStore } from '../../../host/store/memory-store.ts';
import type { Store } from '../../../host/store/store.ts';
import { toHex } from '../../../host/wire/bytes.ts';
import { type Entry, encodeEntry, openEntry } from '../../../host/wire/entry.ts';
import { buildGenesis } from '../../../host/wire/genesis.ts';
import { parseBody } from '../../../host/wire/json.ts';
import { singleSeatManifest } from '../../../host/wire/manifest.ts';
import { matchOperation, parseOperation } from '../../../host/wire/operations.ts';
import { paramWords } from '../../../host/wire/params.ts';
import { txSignBytes } from '../../../host/wire/tx.ts';

const module = new WebAssembly.Module(readFileSync('build/core.wasm'));

export const seedOf = (n: number): Uint8Array => new Uint8Array(32).fill(n);
export const SEAT_KEY = keyPairFromSeed(seedOf(1));
export const START_MS = 1_800_000_000_000;

/** Time that stands still until told; timers fire when it passes them. */
export class FakeClock {
  ms = START_MS;
  #timers = new Map<number, { at: number; run: () => void }>();
  #next = 1;
  nowMs = (): number => this.ms;
  monotonicMs = (): number => this.ms - START_MS;
  setTimer = (run: () => void, ms: number): (() => void) => {
    const id = this.#next++;
    this.#timers.set(id, { at: this.ms + ms, run });
    return () => this.#timers.delete(id);
  };
  async advance(ms: number): Promise<void> {
    const end = this.ms + ms;
    for (;;) {
      const due = [...this.#timers].filter(([, t]) => t.at <= end).sort((a, b) => a[1].at - b[1].at)[0];
      if (!due) break;
      this.#timers.delete(due[0]);
      this.ms = Math.max(this.ms, due[1].at);
      due[1].run();
      await settle();
    }
    this.ms = end;
    await settle();
  }
}

/** Lets everything that waits for a turn of the loop run. */
export async function settle(): Promise<void> {
  for (let i = 0; i < 6; i++) await new Promise((next) => setImmediate(next));
}

const quiet = { debug() {}, info() {}, warn() {}, error() {} };

const genesisOf = (params?: Record<string, string>) =>
  buildGenesis({ testnet: true, manifest: singleSeatManifest(SEAT_KEY.publicKeyHex), overrides: params });
type TestGenesis = ReturnType<typeof genesisOf>;

const freshCore = (genesis: TestGenesis): Core =>
  Core.create(module, {
    chainId: genesis.chainId,
    testnet: true,
    launchTime: 0,
    params: paramWords(genesis.params),
    capacity: {
      agents: 4096,
      items: 4096,
      votes: 8192,
      txIds: 16384,
      keys: 1024,
      records: 8192,
      validators: 64,
    },
  });

/** Brings a fresh core to the head of a stored log, through its snapshot or from genesis. */
export async function restore(store: Store, genesis: TestGenesis, useSnapshot: boolean): Promise<Identities> {
  const core = freshCore(genesis);
  const ids = new Identities(new State(core), store, genesis.manifest);
  const head = recovery.readHead(store);
  const mark = useSnapshot ? recovery.readSnapshotMark(store) : undefined;
  if (mark) await recovery.loadSnapshot(store, core, mark);
  else recovery.applyGenesis(core, genesis);
  if (head.block === 0) await recovery.storeGenesisNames(store, ids.state, genesis);
  await recovery.replay(store, genesis, ids, mark ?? recovery.NO_HEAD, head, () => {});
  return ids;
}

/** Root and order that a restore of a log ends in. */
export async function restoreAt(
  store: Store,
  useSnapshot: boolean,
): Promise<{ root: string; order: number }> {
  const { state } = await restore(store, genesisOf(), useSnapshot);
  return { root: toHex(state.core.stateHash()), order: state.header().order };
}

export interface Parts {
  store: Store;
  clock: FakeClock;
  ids: Identities;
  pipeline: Pipeline;
  executor: Executor;
  pending: PendingIndex;
  events: EventDoc[];
  failure: unknown[];
}

/** Opens a node's pipeline on a store, recovering what is there. */
export async function openParts(
  o: {
    store?: Store;
    clock?: FakeClock;
    queueMost?: number;
    snapshotOrders?: number;
    params?: Record<string, string>;
  } = {},
): Promise<Parts> {
  const store = o.store ?? new MemoryStore();
  const clock = o.clock ?? new FakeClock();
  const genesis = genesisOf(o.params);
  await recovery.claimStore(store, genesis);
  const ids = await restore(store, genesis, true);
  const { state } = ids;
  const head = recovery.readHead(store);
  const mark = recovery.readSnapshotMark(store);
  const epoch = genesisEpoch(genesis);
  const totals = recovery.readTotals(store);
  const sign = (m: Uint8Array): Uint8Array => SEAT_KEY.sign(m);
  const executor = new Executor({
    state,
    store,
    projection: {
      ids,
      lists: new EventLists(store),
      totals,
      chainId: genesis.chainId,
      genesisHash: genesis.hashHex,
      testnet: true,
    },
    checkpoints: new Checkpoints(state, epoch, totals, {
      validatorId: 'v1',
      publicKey: SEAT_KEY.publicKey,
      sign,
    }),
    head,
    snapshotOrders: o.snapshotOrders ?? 1_000_000,
    snapshotAt: mark?.order ?? 0,
  });
  const events: EventDoc[] = [];
  const failure: unknown[] = [];
  const pending = new PendingIndex(state);
  const pipeline = new Pipeline({
    executor,
    seat: new SingleSeat(epoch, 0, sign, recovery.ownHead(store, head)),
    ids,
    clock,
    log: quiet as never,
    queueMost: o.queueMost ?? 1000,
    onExecuted(group) {
      pending.apply(group.outcomes);
      events.push(...group.events);
    },
    onLatency() {},
    onNoQuorum() {},
    onFailure: (error) => failure.push(error),
  });
  await pipeline.open();
  return { store, clock, ids, pipeline, executor, pending, events, failure };
}

let nonce = 0;

/** A signed request as admission would hand it to the pipeline. */
export function signed(
  p: Parts,
  key: KeyPair,
  path: string,
  body: Record<string, unknown>,
  over: { nonce?: string; method?: 'POST' | 'DELETE' } = {},
): Submission {
  const raw = Buffer.from(JSON.stringify(body));
  const method = over.method ?? 'POST';
  const createdAt = Math.floor(p.clock.nowMs() / 1000);
  const tx = {
    chainId: 'vws-testnet-1',
    actor: key.publicKeyHex,
    createdAt,
    expiresAt: createdAt + 60,
    nonce: over.nonce ?? (++nonce).toString(16).padStart(32, '0'),
    signature: '',
  };
  tx.signature = toHex(key.sign(txSignBytes(tx, method, path, parseBody(raw).sha256)));
  const entry: Entry = { scheme: 'tx_v1', tx, method, path, body: raw };
  const open = openEntry(entry);
  const credentials = credentialsOf(entry, p.ids)!;
  const parsed = parseOperation(matchOperation(method, path)!, open.body.value);
  checkActors(parsed, credentials, p.ids);
  const command = toCommand(parsed, open.id, credentials, undefined, p.ids);
  return { input: entryInput(open, parsed, command), bytes: encodeEntry(entry), owner: key.publicKeyHex };
}

/** Submits and returns the outcome's words, or the refusal's code. */
export async function send(
  p: Parts,
  key: KeyPair,
  path: string,
  body: Record<string, unknown> = {},
): Promise<number[] | string> {
  try {
    return (await p.pipeline.submit(signed(p, key, path, body))).outcome.words;
  } catch (error) {
    return (error as { code: string }).code;
  }
}
