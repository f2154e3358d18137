// The documents that a batch changed, found by the keys of its rows, and all documents of a state.
// Keeps: each is the object that a node answers with (protocol 3), as it is at the end of the batch. What moves without a row
// of its own (validators, open challenges, summaries) is looked at in every batch.

import { profileObject } from '../api/handlers/agents.ts';
import { genesis as genesisAnswer } from '../api/handlers/log.ts';
import { routerStats } from '../api/handlers/market.ts';
import { economics, networkState } from '../api/handlers/network.ts';
import type { Reply } from '../api/route.ts';
import type { RouteId } from '../api/tags.ts';
import type { Replica } from '../audit/replica.ts';
import type { ChallengeDoc, JobDoc } from '../store/case-documents.ts';
import type { AgentDoc } from '../store/documents.ts';
import type { ListingDoc } from '../store/market-documents.ts';
import { type Prefix, rangeOf, readU32, rowKey } from '../store/prefixes.ts';
import { isRunCount, runCount } from '../store/run-counts.ts';
import { taskState, taskText } from '../store/task-rows.ts';
import { readJson } from '../store/write-set.ts';
import { challengeObject, jobObject } from '../views/cases/case-view.ts';
import { joinFields } from '../views/market/text-tokens.ts';
import { contentOf, taskRow } from '../views/tasks/task-view.ts';
import { validatorObject } from '../views/validators/validator-view.ts';
import { encodeAddress } from '../wire/address.ts';
import { fromHex, fromUtf8, toHex } from '../wire/bytes.ts';
import type { Genesis } from '../wire/genesis.ts';
import type { DocumentKind, ExportedDocument } from './batch.ts';

/** Kinds that are found by the keys of rows. */
type RowKind = Exclude<DocumentKind, 'validator' | 'summary'>;

/** Where in a key the id of what it belongs to is, by prefix; bytes. Without `bytes` it is the rest of the key. */
const IDS: Partial<Record<Prefix, { kind: RowKind; bytes?: number }>> = {
  a: { kind: 'agent', bytes: 4 },
  x: { kind: 'task', bytes: 16 },
  u: { kind: 'task', bytes: 16 },
  g: { kind: 'task', bytes: 16 },
  L: { kind: 'listing', bytes: 4 },
  H: { kind: 'challenge', bytes: 12 },
  Y: { kind: 'replay_job', bytes: 16 },
  w: { kind: 'run_count' },
};
const CHALLENGE_PREFIX = 'H'.charCodeAt(0);
/** Prefixes whose rows name everything that there is of a kind. */
const WHOLE: readonly Prefix[] = ['a', 'x', 'L', 'H', 'Y', 'w'];

/** Answers to routes without parameters that follow from the state alone. */
const SUMMARIES = {
  log_genesis: genesisAnswer,
  network_economics: economics,
  network_state: networkState,
  market_router_stats: routerStats,
} as const satisfies Partial<Record<RouteId, (c: SummaryContext) => Reply>>;
type SummaryContext = Pick<Replica, 'state' | 'ids'> & { genesis: Genesis };

/** A document that was found; undefined where a row of it was dropped or is of something else. */
type Found = Omit<ExportedDocument, 'kind'> | undefined;

/** Documents that changed: kind and id of the rows in hex. */
export class ChangedDocuments {
  readonly #ids = new Map<RowKind, Set<string>>();
  /** The newest text of what is looked at in every batch. */
  readonly #seen = new Map<string, string>();
  readonly #openChallenges = new Set<string>();
  readonly #makers: Readonly<Record<RowKind, (hex: string) => Found>> = {
    agent: (hex) => this.#agent(readU32(fromHex(hex)!)),
    task: (hex) => this.#task(hex),
    listing: (hex) => this.#listing(readU32(fromHex(hex)!)),
    challenge: (hex) => this.#challenge(hex),
    replay_job: (hex) => this.#job(hex),
    run_count: (hex) => this.#runs(fromUtf8(fromHex(hex)!)!),
  };

  constructor(
    private readonly replica: Replica,
    private readonly genesis: Genesis,
  ) {}

  #changed(kind: RowKind, hex: string): void {
    const ids = this.#ids.get(kind) ?? new Set();
    ids.add(hex);
    this.#ids.set(kind, ids);
  }

  /** A row of the store was written. */
  row(key: Uint8Array): void {
    const found = IDS[String.fromCharCode(key[0]!) as Prefix];
    if (found) this.#changed(found.kind, toHex(key.subarray(1, found.bytes && 1 + found.bytes)));
  }

  /** A row of a batch that is not written, since it was before: what stays open is looked at in later batches. */
  passed(key: Uint8Array): void {
    if (key[0] === CHALLENGE_PREFIX) this.row(key);
  }

  /** Begins where an earlier export ended. */
  async resume(): Promise<void> {
    for await (const [key] of this.replica.store.scan(rangeOf('H'))) this.row(key);
  }

  agent(index: number): void {
    this.#changed('agent', toHex(rowKey.agent(index).subarray(1)));
  }

  /** Everything that the store has documents of, as in a state that was just opened. */
  async all(): Promise<void> {
    for (const prefix of WHOLE)
      for await (const [key] of this.replica.store.scan(rangeOf(prefix))) this.row(key);
    const { agents } = this.replica.state.header();
    for (let index = 0; index < agents; index++) this.agent(index);
  }

  /** Reads what has changed since the last call. */
  take(): ExportedDocument[] {
    const taken: ExportedDocument[] = [];
    for (const hex of this.#openChallenges) this.#changed('challenge', hex);
    for (const [kind, ids] of this.#ids) {
      for (const hex of ids) {
        const found = this.#makers[kind](hex);
        if (found) taken.push({ kind, ...found });
      }
      ids.clear();
    }
    return [...taken, ...this.#validators(), ...this.#summaries()];
  }

  /** With names that the batch itself brings: they are not in the store yet. */
  get #names(): Pick<Replica['ids'], 'agentId' | 'displayName' | 'validatorId'> {
    const { ids, rows } = this.replica;
    return {
      agentId: (index) => ids.agentId(index),
      displayName: (index) => readJson<AgentDoc>(rows.get(rowKey.agent(index)))?.name,
      validatorId: (index) => ids.validatorId(index),
    };
  }

  #agent(index: number): Found {
    const { ids, state } = this.replica;
    const agent = state.agent(index)!;
    const { publicKey } = agent;
    return {
      id: ids.agentId(index),
      doc: profileObject({ state, ids: this.#names, genesis: this.genesis }, agent),
      more: {
        number: index,
        key: toHex(agent.key),
        public_key: publicKey && toHex(publicKey),
        address: publicKey && encodeAddress(publicKey, this.genesis.testnet),
      },
    };
  }

  #task(hex: string): Found {
    const { ids, rows } = this.replica;
    const id = fromHex(hex)!;
    const doc = taskRow(rows, id);
    if (!doc) return undefined;
    const { hired } = taskState(rows, id)!;
    return {
      id: hex,
      doc,
      more: {
        number: taskText(rows, id)!.number,
        hired: hired === undefined ? undefined : ids.agentId(hired),
        content: contentOf(rows, id),
      },
    };
  }

  #listing(index: number): Found {
    const { ids, rows } = this.replica;
    const doc = readJson<ListingDoc>(rows.get(rowKey.listing(index)));
    if (!doc) return undefined;
    const { name, description, tags, active } = doc;
    // Fields are apart in the index of a node too; a database has no character 0.
    const words = joinFields([name, description, ...tags]).toLowerCase();
    return { id: ids.agentId(index), doc: { ...doc }, more: { active: active ? 1 : 0, words } };
  }

  #challenge(hex: string): Found {
    const { rows, state } = this.replica;
    const id = fromHex(hex)!;
    const stored = readJson<ChallengeDoc>(rows.get(rowKey.challenge(id)));
    const doc = challengeObject(rows, state, id);
    if (!stored || !doc) return undefined;
    if (stored.core.status === 'open') {
      // Its votes move with the weights of those who cast them.
      this.#openChallenges.add(hex);
      if (!this.#isNew(`challenge ${hex}`, doc)) return undefined;
    } else if (this.#openChallenges.delete(hex)) this.#seen.delete(`challenge ${hex}`);
    return { id: `chal-${hex}`, doc: { ...doc }, more: { number: stored.number } };
  }

  #job(hex: string): Found {
    const { rows } = this.replica;
    const id = fromHex(hex)!;
    const doc = jobObject(rows, id);
    const stored = readJson<JobDoc>(rows.get(rowKey.replayJob(id)));
    return doc && stored && { id: hex, doc: { ...doc }, more: { number: stored.number } };
  }

  #runs(name: string): Found {
    return isRunCount(name) ? { id: name, doc: { ...runCount(this.replica.rows, name) } } : undefined;
  }

  /** Is it another text than the last one of that name. */
  #isNew(name: string, doc: object): boolean {
    const text = JSON.stringify(doc);
    if (this.#seen.get(name) === text) return false;
    this.#seen.set(name, text);
    return true;
  }

  /** Validators change by time, too. */
  #validators(): ExportedDocument[] {
    const { ids, state } = this.replica;
    const { validators } = state.header();
    return Array.from({ length: validators }, (_, index) => index).flatMap((index) => {
      const id = ids.validatorId(index);
      const doc = validatorObject(ids, index);
      return this.#isNew(`validator ${id}`, doc) ? { kind: 'validator', id, doc } : [];
    });
  }

  #summaries(): ExportedDocument[] {
    const { ids, state } = this.replica;
    return Object.entries(SUMMARIES).flatMap(([id, answer]) => {
      const doc = answer({ state, ids, genesis: this.genesis }).body as ExportedDocument['doc'];
      return this.#isNew(`summary ${id}`, doc) ? { kind: 'summary', id, doc } : [];
    });
  }
}
