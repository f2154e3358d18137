// A whole node without sockets: the real core, a store in memory, a fake clock, real signatures.

import { readFileSync } from 'node:fs';
import { Core } from '../../../host/core/core.ts';
import { State } from '../../../host/core/state.ts';
import { openImplementation } from '../../../host/crypto/implementation.ts';
import { type KeyPair, keyPairFromSeed } from '../../../host/crypto/key-pair.ts';
import { useNativeHash } from '../../../host/crypto/native-hash.ts';
import type { Executor } from '../../../host/execution/executor.ts';
import { Identities } from '../../../host/execution/identity.ts';
import { credentialsOf, entryInput } from '../../../host/execution/intake.ts';
import { openLog } from '../../../host/execution/open-log.ts';
import * as recovery from '../../../host/execution/recovery.ts';
import { checkActors, toCommand } from '../../../host/execution/translate.ts';
import { openExecution } from '../../../host/node/execution.ts';
import type { Ordering } from '../../../host/ordering/ordering.ts';
import type { Done } from '../../../host/ordering/packed.ts';
import { type Gate, OPEN_GATE } from '../../../host/ordering/vertex-gate.ts';
import { NO_SOURCE, type VertexSource } from '../../../host/ordering/vertex-source.ts';
import type { ProgramRunner } from '../../../host/programs/runner.ts';
import { Sequencer, type Submission } from '../../../host/sequencer/sequencer.ts';
import type { DocumentRoot } from '../../../host/store/document-root.ts';
import type { EventDoc, Totals } from '../../../host/store/documents.ts';
import { MemoryStore } from '../../../host/store/memory-store.ts';
import type { CaseIndex } from '../../../host/views/cases/case-index.ts';
import type { EventLists } from '../../../host/views/events/event-lists.ts';
import { PendingIndex } from '../../../host/views/pending-index.ts';
import type { TaskIndex } from '../../../host/views/tasks/task-index.ts';
import type { EpochLimits } from '../../../host/wire/block.ts';
import { toHex } from '../../../host/wire/bytes.ts';
import { type Entry, encodeEntry, openEntry } from '../../../host/wire/entry.ts';
import { buildGenesis, type Genesis } from '../../../host/wire/genesis.ts';
import { parseBody } from '../../../host/wire/json.ts';
import { type Manifest, singleSeatManifest } from '../../../host/wire/manifest.ts';
import { matchOperation, parseOperation } from '../../../host/wire/operations.ts';
import { paramWords } from '../../../host/wire/params.ts';
import { signatureBytes, txSignBytes } from '../../../host/wire/tx.ts';
import type { Store } from '../../../host/world/store.ts';
import { systemClock } from '../../../host/world/system/clock.ts';
import { systemWorld } from '../../../host/world/system/world.ts';

useNativeHash();

const core = new WebAssembly.Module(readFileSync('build/core.wasm'));
const consensus = new WebAssembly.Module(readFileSync('build/consensus.wasm'));

export const seedOf = (n: number): Uint8Array => new Uint8Array(32).fill(n);
export const SEAT_KEY = keyPairFromSeed(seedOf(1));
export const START_MS = 1_800_000_000_000;

/** A clock that moves only when advanced; timers fire as it passes them. */
export class FakeClock {
  ms = START_MS;
  /** What the wall clock is off by, in ms: a clock can be set, the monotonic one can't. */
  skewMs = 0;
  #timers = new Map<number, { at: number; run: () => void }>();
  #next = 1;
  nowMs = (): number => this.ms + this.skewMs;
  monotonicMs = (): number => this.ms - START_MS;
  soon = (run: () => void): void => void setImmediate(run);
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

/** What a network of a test is made of. */
export interface TestNet {
  manifest?: Manifest;
  params?: Record<string, string>;
  /** Smaller limits of an epoch. */
  limits?: EpochLimits;
  /** Key of the node, when it matters whether that is its seat's; else the seat's first one. */
  key?: KeyPair;
}

export const genesisOf = (net: TestNet = {}): Genesis =>
  buildGenesis({
    testnet: true,
    manifest: net.manifest ?? singleSeatManifest(SEAT_KEY.publicKeyHex),
    ...(net.params ? { overrides: net.params } : {}),
  });

/** Rows of the core's tables: enough for a test, made in no time. */
export const SMALL_TABLES = {
  agents: 4096,
  items: 4096,
  votes: 8192,
  txIds: 16384,
  keys: 1024,
  records: 8192,
  validators: 64,
  tasks: 4096,
  bars: 4096,
};

export const freshCore = (genesis: Genesis): Core =>
  Core.create(core, {
    chainId: genesis.chainId,
    testnet: true,
    launchTime: 0,
    params: paramWords(genesis.params),
    capacity: SMALL_TABLES,
  });

const signerOf =
  ({ key = SEAT_KEY }: TestNet) =>
  (message: Uint8Array): Uint8Array =>
    key.sign(message);

/** State and ordering at the head of a stored log, through its snapshot or from genesis. */
export async function restore(
  store: Store,
  net: TestNet,
  useSnapshot: boolean,
): Promise<{ ids: Identities; ordering: Ordering }> {
  const genesis = genesisOf(net);
  const fresh = freshCore(genesis);
  const ids = new Identities(new State(fresh), store, genesis);
  const to = recovery.readHead(store);
  const from = useSnapshot ? recovery.readSnapshotMark(store) : undefined;
  if (from) await recovery.loadSnapshot(store, fresh, from);
  else recovery.applyGenesis(fresh, genesis);
  if (to.block === 0) await recovery.storeGenesisNames(store, ids.state, genesis);
  const { limits, key } = net;
  const sign = signerOf(net);
  const log = {
    store,
    genesis,
    ids,
    module: consensus,
    seat: 0,
    sign,
    from,
    to,
    verify: openImplementation('noble', systemWorld),
  };
  return {
    ids,
    ordering: await openLog({
      clock: systemClock,
      ...log,
      ...(limits ? { limits } : {}),
      ...(key ? { publicKey: key.publicKey } : {}),
    }),
  };
}

/** Root and order that a restore of a log ends in. */
export async function restoreAt(
  store: Store,
  useSnapshot: boolean,
  net: TestNet = {},
): Promise<{ root: string; order: number }> {
  const { state } = (await restore(store, net, useSnapshot)).ids;
  return { root: toHex(state.core.stateHash()), order: state.header().order };
}

export interface Parts {
  store: Store;
  clock: FakeClock;
  ids: Identities;
  sequencer: Sequencer;
  ordering: Ordering;
  executor: Executor;
  pending: PendingIndex;
  lists: EventLists;
  tasks: TaskIndex;
  cases: CaseIndex;
  documents: DocumentRoot;
  totals: Totals;
  events: EventDoc[];
  failure: unknown[];
}

/** Opens a node on a store and restores its log. It begins with empty vertices, as every start does. */
export async function openParts(o: Parameters<typeof assemble>[0] = {}): Promise<Parts> {
  const parts = await assemble(o);
  await parts.sequencer.open();
  return parts;
}

/** The same, but nothing is ordered until the test calls `open`. */
export async function assemble(
  o: TestNet & {
    store?: Store;
    clock?: FakeClock;
    maxQueued?: number;
    snapshotOrders?: number;
    snapshotsAtSeals?: boolean;
    gate?: Gate;
    source?: VertexSource;
    runner?: ProgramRunner;
  } = {},
): Promise<Parts> {
  const store = o.store ?? new MemoryStore();
  const clock = o.clock ?? new FakeClock();
  const genesis = genesisOf(o);
  await recovery.claimStore(store, genesis);
  const { ids, ordering } = await restore(store, o, true);
  const { state } = ids;
  const { executor, lists, tasks, cases, documents, totals } = await openExecution({
    store,
    genesis,
    ids,
    signer: {
      seat: 0,
      validatorId: 'v1',
      publicKey: (o.key ?? SEAT_KEY).publicKey,
      sign: signerOf(o),
    },
    snapshotOrders: o.snapshotOrders ?? 1_000_000,
    snapshotsAtSeals: o.snapshotsAtSeals ?? false,
    ...(o.runner ? { runner: o.runner } : {}),
  });
  ordering.attach(executor);
  const events: EventDoc[] = [];
  const failure: unknown[] = [];
  const pending = new PendingIndex(state);
  const sequencer = new Sequencer({
    executor,
    ordering,
    ids,
    clock,
    log: quiet as never,
    source: o.source ?? NO_SOURCE,
    gate: o.gate ?? OPEN_GATE,
    isBehind: () => false,
    maxQueued: o.maxQueued ?? 1000,
    onExecuted(group) {
      pending.apply(group.outcomes);
      events.push(...group.events);
    },
    onLatency() {},
    onNoQuorum() {},
    onFailure: (error) => failure.push(error),
  });
  const made = { store, clock, ids, sequencer, ordering, executor, pending, lists, tasks, cases };
  return { ...made, documents, totals, events, failure };
}

let nonce = 0;

interface Over {
  nonce?: string;
  method?: 'POST' | 'DELETE';
  /** Name of the signer; default the key in hex. */
  actor?: string;
  /** The signature is sent in capital hex digits. */
  inCapitals?: boolean;
}

/** A signed request as it goes into a vertex. */
export function signedEntry(
  clock: Pick<FakeClock, 'nowMs'>,
  key: KeyPair,
  path: string,
  body: Record<string, unknown>,
  over: Over = {},
): Entry {
  const raw = Buffer.from(JSON.stringify(body));
  const method = over.method ?? 'POST';
  const createdAt = Math.floor(clock.nowMs() / 1000);
  const tx = {
    chainId: 'vws-testnet-1',
    actor: over.actor ?? key.publicKeyHex,
    createdAt,
    expiresAt: createdAt + 60,
    nonce: over.nonce ?? (++nonce).toString(16).padStart(32, '0'),
  };
  const signed = toHex(key.sign(txSignBytes(tx, method, path, parseBody(raw).sha256)));
  const signature = signatureBytes(over.inCapitals ? signed.toUpperCase() : signed)!;
  return { scheme: 'tx_v1', tx, signature, method, path, body: raw };
}

/** A signed request as admission passes it to the sequencer. */
export function signed(
  p: Parts,
  key: KeyPair,
  path: string,
  body: Record<string, unknown>,
  over: Over = {},
): Submission {
  const entry = signedEntry(p.clock, key, path, body, over);
  const open = openEntry(entry);
  const credentials = credentialsOf(entry, p.ids)!;
  const parsed = parseOperation(matchOperation(entry.method, path)!, open.body.value);
  checkActors(parsed, credentials, p.ids);
  const command = toCommand(parsed, open.id, credentials, undefined, p.ids);
  return { input: entryInput(open, parsed, command), bytes: encodeEntry(entry), owner: key.publicKeyHex };
}

/** One batch at the present time of the clock: offers entries, makes vertices, writes. */
export async function order(p: Parts, entries: readonly Uint8Array[]): Promise<Done[]> {
  p.ordering.offer(entries.map((bytes) => ({ bytes, input: undefined })));
  await p.ordering.advance({ nowMs: p.clock.nowMs(), causes: () => [] });
  await p.executor.commit();
  return p.ordering.takeDone(p.clock.nowMs());
}

/** Submits and returns the outcome's words, or the refusal's code. */
export async function send(
  p: Parts,
  key: KeyPair,
  path: string,
  body: Record<string, unknown> = {},
): Promise<number[] | string> {
  try {
    return (await p.sequencer.submit(signed(p, key, path, body))).outcome.words;
  } catch (error) {
    return (error as { code: string }).code;
  }
}
