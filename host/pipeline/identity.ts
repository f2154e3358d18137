// Who is who: names of agents and validators beside the core's numbers.
// Agents' names are immutable once registered, so a bounded cache in front of the store never goes stale.

import type { State } from '../core/state.ts';
import type { AgentDoc } from '../store/documents.ts';
import { keyU32 } from '../store/prefixes.ts';
import type { Store } from '../store/store.ts';
import { readJson } from '../store/write-set.ts';
import { toHex } from '../wire/bytes.ts';
import { agentKey } from '../wire/ids.ts';
import type { Manifest } from '../wire/manifest.ts';
import { IdOrder } from './id-order.ts';
import { TaskFacts } from './task-facts.ts';

/** Names kept in memory, in two generations: what was asked for since the last turn, and before it. */
const GENERATION = 50_000;

/** What a request's signer is, once found among the registered agents. */
export interface AgentIdentity {
  index: number;
  key: Uint8Array;
  publicKey: Uint8Array | undefined;
  validator: number | undefined;
}

export class Identities {
  #docs = new Map<number, AgentDoc>();
  #older = new Map<number, AgentDoc>();
  readonly #seatOfNode = new Map<string, number>();
  readonly #validatorIds: string[] = [];
  readonly #validatorRows = new Map<string, number>();

  /** Facts about tasks, which translation needs beside those about agents. */
  readonly tasks: TaskFacts;
  /** Order of agents by agent_id. */
  readonly order = new IdOrder((agent) => this.agentId(agent));

  constructor(
    readonly state: State,
    private readonly store: Store,
    readonly manifest: Manifest,
  ) {
    this.tasks = new TaskFacts(state, store);
    for (const [seat, entry] of manifest.entries.entries()) {
      this.#seatOfNode.set(entry.consensus_public_key, seat);
      // Genesis validators get their rows in manifest order; a pending seat has none.
      if (entry.initial_status !== 'pending_join') {
        this.#validatorRows.set(entry.validator_id, this.#validatorIds.length);
        this.#validatorIds.push(entry.validator_id);
      }
    }
  }

  /** Agent registered under this agent key or public key. */
  find(key: Uint8Array): AgentIdentity | undefined {
    const index = this.state.findAgent(key);
    if (index === undefined) return undefined;
    const agent = this.state.agent(index)!;
    return { index, key: agent.key, publicKey: agent.publicKey, validator: agent.validator };
  }

  doc(index: number): AgentDoc {
    const known = this.#docs.get(index);
    if (known) return known;
    const kept = this.#older.get(index);
    if (kept) {
      this.remember(index, kept);
      return kept;
    }
    const doc = readJson<AgentDoc>(this.store.get(keyU32('a', index)));
    if (!doc) throw new Error(`agent ${index} has no stored name`);
    this.remember(index, doc);
    return doc;
  }

  /** A new agent's name: known from now on. */
  add(index: number, doc: AgentDoc): void {
    this.order.set(index, doc.id);
    this.remember(index, doc);
  }

  /** Names of many agents; the missing ones are fetched at once. */
  docs(indexes: readonly number[]): AgentDoc[] {
    const missing = indexes.filter((i) => !this.#docs.has(i) && !this.#older.has(i));
    const found = this.store.getMany(missing.map((i) => keyU32('a', i)));
    for (const [i, bytes] of found.entries()) this.remember(missing[i]!, readJson<AgentDoc>(bytes)!);
    return indexes.map((i) => this.doc(i));
  }

  remember(index: number, doc: AgentDoc): void {
    // Whole generations go: taking out single entries makes a Map slower with every one (its first key is searched for
    // behind all that left).
    if (this.#docs.size >= GENERATION) {
      this.#older = this.#docs;
      this.#docs = new Map();
    }
    this.#docs.set(index, doc);
  }

  agentId(index: number): string {
    return this.doc(index).id;
  }

  validatorId(index: number): string {
    return this.#validatorIds[index]!;
  }

  /** Row of the validator with this id. */
  validatorRow(id: string): number | undefined {
    return this.#validatorRows.get(id);
  }

  /** Row of the validator that an id or its operator's agent_id or key names. */
  findValidator(idOrAgent: string): number | undefined {
    return this.validatorRow(idOrAgent) ?? this.find(agentKey(idOrAgent))?.validator;
  }

  seatOfNode(nodeKey: Uint8Array): number | undefined {
    return this.#seatOfNode.get(toHex(nodeKey));
  }

  /** Agent that operates a seat. */
  operatorOfSeat(seat: number): AgentIdentity {
    const entry = this.manifest.entries[seat];
    const found = entry && this.find(agentKey(entry.operator_agent_id));
    if (!found) throw new Error(`seat ${seat} has no registered operator`);
    return found;
  }

  /** Does a name in a request mean this agent: agent_id, hex key, or own validator id (DECISIONS 1.7). */
  names(value: string, agent: AgentIdentity): boolean {
    if (agent.validator !== undefined && this.validatorRow(value) === agent.validator) return true;
    const key = toHex(agentKey(value));
    return key === toHex(agent.key) || (agent.publicKey !== undefined && key === toHex(agent.publicKey));
  }
}
