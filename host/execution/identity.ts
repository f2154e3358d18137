// Names of agents and validators for the core's numbers, and which key belongs to which.
// Agents' names are immutable once registered: ids stay in memory after their first use, display names in the store.

import type { AgentIdentity, State } from '../core/state.ts';
import type { AgentDoc } from '../store/documents.ts';
import { rowKey } from '../store/prefixes.ts';
import { readJson } from '../store/write-set.ts';
import { fromHex, toHex } from '../wire/bytes.ts';
import type { Genesis } from '../wire/genesis.ts';
import { agentKey } from '../wire/ids.ts';
import type { Manifest } from '../wire/manifest.ts';
import type { Store } from '../world/store.ts';
import { IdOrder } from './id-order.ts';
import { TaskFacts } from './task-facts.ts';

export type { AgentIdentity } from '../core/state.ts';

/** Names of actors whose agents stay known; all are forgotten when there are more. */
const MAX_NAMED = 8192;

/** An agent whose keys never change once it is registered. Which validator it operates is asked when it is of use. */
class KnownAgent implements AgentIdentity {
  constructor(
    private readonly state: State,
    readonly index: number,
    readonly key: Uint8Array,
    readonly publicKey: Uint8Array | undefined,
  ) {}

  get validator(): number | undefined {
    return this.state.agentIdentity(this.index)!.validator;
  }
}

/** Ids that stay as texts, each in the place of its row: those of the agents of this moment, of whom each is asked for often. */
const RECENT_IDS = 4096;

export class Identities {
  readonly #recent: ({ index: number; id: string } | undefined)[] = new Array(RECENT_IDS).fill(undefined);
  #seatOfNode = new Map<string, number>();
  #seatKeys: readonly Uint8Array[] = [];
  readonly #validatorIds: string[] = [];
  /** What `find` found last in each slot: an agent asks for much, and the core computes all that it has for an answer. */
  readonly #found: (KnownAgent | undefined)[] = [];
  /** What `named` found: the row of a name never changes. */
  readonly #named = new Map<string, KnownAgent>();

  readonly manifest: Manifest;
  readonly testnet: boolean;
  /** Facts about tasks, which translation needs beside those about agents. */
  readonly tasks: TaskFacts;
  /** Ids of agents and their order. */
  readonly order = new IdOrder((agent) => toHex(this.state.agentKey(agent)));

  constructor(
    readonly state: State,
    private readonly store: Store,
    genesis: Pick<Genesis, 'manifest' | 'testnet'>,
  ) {
    this.manifest = genesis.manifest;
    this.testnet = genesis.testnet;
    this.tasks = new TaskFacts(state, store);
    this.useSeatKeys(this.manifest.entries.map((entry) => fromHex(entry.consensus_public_key)!));
  }

  /** An epoch begins: these are the consensus keys of its seats. */
  useSeatKeys(keys: readonly Uint8Array[]): void {
    this.#seatKeys = keys;
    this.#seatOfNode = new Map(keys.map((key, seat) => [toHex(key), seat]));
  }

  /** Agent registered under this agent key or public key. */
  find(key: Uint8Array): AgentIdentity | undefined {
    return this.#find(key);
  }

  #find(key: Uint8Array): KnownAgent | undefined {
    const index = this.state.findAgent(key);
    if (index === undefined) return undefined;
    const slot = index % RECENT_IDS;
    const known = this.#found[slot];
    if (known?.index === index) return known;
    const read = this.state.agentIdentity(index)!;
    const found = new KnownAgent(this.state, index, read.key, read.publicKey);
    this.#found[slot] = found;
    return found;
  }

  /** Agent that an actor as sent means: agent_id or hex key. */
  named(actor: string): AgentIdentity | undefined {
    const known = this.#named.get(actor);
    if (known) return known;
    const found = this.#find(agentKey(actor));
    if (!found) return undefined;
    if (this.#named.size >= MAX_NAMED) this.#named.clear();
    this.#named.set(actor, found);
    return found;
  }

  #stored(index: number): AgentDoc {
    const doc = readJson<AgentDoc>(this.store.get(rowKey.agent(index)));
    if (!doc) throw new Error(`agent ${index} has no stored name`);
    return doc;
  }

  /** Adds the names of a new agent. */
  add(index: number, doc: AgentDoc): void {
    this.order.set(index, doc);
  }

  agentId(index: number): string {
    const recent = this.#recent[index % RECENT_IDS];
    if (recent?.index === index) return recent.id;
    const id = this.#idOf(index);
    this.#recent[index % RECENT_IDS] = { index, id };
    return id;
  }

  #idOf(index: number): string {
    const known = this.order.text(index);
    if (known !== undefined) return known;
    const doc = this.#stored(index);
    this.order.set(index, doc);
    return doc.id;
  }

  /** Undefined when an agent gave none. */
  displayName(index: number): string | undefined {
    // Loads the agent's names, if they are not in memory.
    this.agentId(index);
    return this.order.isNamed(index) ? this.#stored(index).name : undefined;
  }

  /** Immutable, as rows of validators are never freed. */
  validatorId(index: number): string {
    let id = this.#validatorIds[index];
    if (id === undefined) {
      id = this.state.validatorId(index);
      if (id === undefined) throw new Error(`there is no validator ${index}`);
      this.#validatorIds[index] = id;
    }
    return id;
  }

  /** Row of the validator that an id or its operator's agent_id or key names. */
  findValidator(idOrAgent: string): number | undefined {
    return this.state.findValidator(idOrAgent);
  }

  /** Seat whose consensus key in the running epoch is this one. */
  seatOfNode(nodeKey: Uint8Array): number | undefined {
    return this.#seatOfNode.get(toHex(nodeKey));
  }

  /** Consensus key of a seat in the running epoch. */
  seatKey(seat: number): Uint8Array {
    return this.#seatKeys[seat]!;
  }

  /** Agent that operates a seat. */
  operatorOfSeat(seat: number): AgentIdentity {
    const entry = this.manifest.entries[seat];
    const found = entry && this.find(agentKey(entry.operator_agent_id));
    if (!found) throw new Error(`seat ${seat} has no registered operator`);
    return found;
  }

  /** Name of a seat in the manifest. */
  seatName(seat: number): string {
    return this.manifest.entries[seat]!.validator_id;
  }

  /** Does a name in a request mean this agent: agent_id, hex key, or the id of its validator (protocol 1.7). */
  names(value: string, agent: AgentIdentity): boolean {
    if (agent.validator !== undefined && this.validatorId(agent.validator) === value) return true;
    const key = toHex(agentKey(value));
    return key === toHex(agent.key) || (agent.publicKey !== undefined && key === toHex(agent.publicKey));
  }
}
