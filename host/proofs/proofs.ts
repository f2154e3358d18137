// Proofs of documents under a root that a quorum signed: checked in milliseconds, without the log (consensus 5.18). Seats
// are followed from genesis, seal by seal, as a joining node does.
// Keeps: the node is believed in nothing but which checkpoint is the newest; `timeMs` says how old that is.

import { isRowKind, type ListedValidator, type ProvenRows, type RowKind } from '../core/state-rows.ts';
import type { VerifyMany } from '../crypto/verifier.ts';
import { SealChain } from '../net/join-seals.ts';
import { decodeMessage } from '../net/messages.ts';
import { type Epoch, genesisEpoch, isQuorumOf } from '../ordering/epoch.ts';
import type { CheckpointStatement, EpochLimits } from '../wire/block.ts';
import { equalBytes, fromHex, toHex } from '../wire/bytes.ts';
import type { Genesis } from '../wire/genesis.ts';
import { isRecord } from '../wire/json.ts';
import { LogFault } from '../wire/log-fault.ts';
import {
  idBehind,
  isEventId,
  isRowList,
  type KeyRange,
  MAX_PROVEN,
  type ProofItem,
  type ProofList,
  rangeOfItem,
  rangeOfList,
  seqOfKey,
} from '../wire/proof-kinds.ts';
import { readGenesis } from './genesis.ts';
import { type ProvenText, type ReadProof, readProofAnswer, readValidatorsAnswer } from './proof-reader.ts';
import { readCheckpoints, type SignedCheckpoint } from './readings.ts';
import { readRowProof } from './row-proof.ts';
import { signersOf } from './signers.ts';

/** Times that the signatures of a new checkpoint are asked for, and the time between. */
const MAX_ASKS = 20;
const ASK_MS = 250;

/** A node that is asked; each call fails as it likes. */
export interface ProofSource {
  genesis(): Promise<unknown>;
  seals(from: number): Promise<Uint8Array>;
  checkpoints(after: number, limit: number): Promise<unknown>;
  /** The answer to a path below /v1/proof. */
  proof(path: string): Promise<unknown>;
}

export interface ProofParts {
  source: ProofSource;
  /** By the network's rule, ZIP-215. */
  verify: VerifyMany;
  /** Genesis hash of the network in hex; undefined: accept the node's network. */
  genesisHash?: string | undefined;
  pause(ms: number): Promise<void>;
  /** Limits of an epoch; tests use smaller ones. */
  limits?: EpochLimits;
}

/** What was proven: no documents mean that there are none; of events, that none is open: one that was settled is not under the root. */
export interface Proven {
  /** The network, in hex: the node's choice, unless its genesis hash was given. */
  genesisHash: string;
  documents: ProvenText[];
  /** Of kinds that have them: what the core says of the agent; missing where the node could not show it as it was. */
  rows?: ProvenRows;
  /** Of the list of validators, which are rows of the core: none of the page is left out. */
  validators?: ListedValidator[];
  /**
   * Of an event that was asked for by its id and is not shown: the number that the node says it has. That no event with this
   * number is open is proven; that it is the number of the id is not.
   */
  seq?: number;
  /** Id to continue behind, hex; undefined at the end of a list. */
  next?: string;
  /** The checkpoint that a quorum signed: its height, hash of its statement, order, and consensus time. */
  height: number;
  order: number;
  timeMs: number;
  stateRoot: string;
}

/** The key under which a node shows an event that it was asked for by its id. Errors: LogFault. */
function rangeOfEvent(body: unknown): KeyRange {
  const first = isRecord(body) && typeof body.first === 'string' ? fromHex(body.first) : undefined;
  const range = first && rangeOfItem('event', `${seqOfKey(first)}`);
  if (!range || !equalBytes(range.first, first)) throw new LogFault('answer', 'a proof is of no event');
  return range;
}

/** Errors: LogFault where another event is shown than was asked for. */
function ofEventId(id: string, proven: Proven, { first }: KeyRange): Proven {
  const [shown] = proven.documents;
  if (!shown) return { ...proven, seq: seqOfKey(first) };
  if ((JSON.parse(shown.text) as { event_id?: unknown }).event_id !== id.toLowerCase())
    throw new LogFault('proof', `the node shows another event than ${id}`);
  return proven;
}

export class Proofs {
  private constructor(
    private readonly o: ProofParts,
    readonly genesis: Genesis,
    private readonly chain: SealChain,
  ) {}

  /** Errors: LogFault for a node of another network; those of the source. */
  static async open(o: ProofParts): Promise<Proofs> {
    const genesis = readGenesis(await o.source.genesis(), o.genesisHash);
    return new Proofs(o, genesis, new SealChain(genesisEpoch(genesis, o.limits), genesis.hash, o.verify));
  }

  /**
   * Proves a document with its parts, or that there is none. An event is asked for by its number, or by its id. Errors:
   * LogFault for a lie, TypeError for no id.
   */
  async item(kind: ProofItem, id: string): Promise<Proven> {
    const isById = kind === 'event' && isEventId(id);
    const known = isById ? undefined : rangeOfItem(kind, id);
    if (!isById && !known) throw new TypeError(`${id} is no id of a document of kind ${kind}`);
    const body = await this.o.source.proof(`/v1/proof/${kind}/${encodeURIComponent(id)}`);
    const range = known ?? rangeOfEvent(body);
    const read = readProofAnswer(body, range);
    const proven = await this.#signed(read);
    if (isById) return ofEventId(id, proven, range);
    const rows = isRowKind(kind) ? this.#rows(read, body, kind, range) : undefined;
    return rows ? { ...proven, rows } : proven;
  }

  #rows(read: ReadProof, body: unknown, kind: RowKind, { first }: KeyRange): ProvenRows | undefined {
    if (read.documents.length === 0) return undefined;
    return readRowProof(body as Record<string, unknown>, kind, first.subarray(1), read.coreRoot);
  }

  /** Proves a page of a list, behind an id in hex. Errors: as `item`. */
  async list(kind: ProofList, after = '', limit = MAX_PROVEN): Promise<Proven> {
    const range = rangeOfList(kind, after);
    if (!range) throw new TypeError(`${after} is no id of the list ${kind}`);
    const query = `limit=${limit}${after === '' ? '' : `&after=${after}`}`;
    const body = await this.o.source.proof(`/v1/proof/${kind}?${query}`);
    const read = isRowList(kind) ? readValidatorsAnswer(body, range) : readProofAnswer(body, range);
    const proven = await this.#signed(read);
    return {
      ...proven,
      ...(read.validators ? { validators: read.validators } : {}),
      ...(read.isEnd ? {} : { next: idBehind(kind, read.last) }),
    };
  }

  /**
   * A whole list, page by page. A root is newer than that of the page before, if there was a checkpoint meanwhile; the result names the
   * oldest, since a node may show pages of any age.
   */
  async whole(kind: ProofList): Promise<Proven> {
    const pages = [await this.list(kind)];
    for (let { next } = pages[0]!; next !== undefined; { next } = pages.at(-1)!)
      pages.push(await this.list(kind, next));
    const { next: _, ...oldest } = pages.reduce((old, page) => (page.height < old.height ? page : old));
    const all = { ...oldest, documents: pages.flatMap(({ documents }) => documents) };
    return isRowList(kind) ? { ...all, validators: pages.flatMap(({ validators }) => validators!) } : all;
  }

  /** What was read, once a quorum's signatures are there, which a node may get after the checkpoint. Errors: LogFault. */
  async #signed({ checkpoint, statement, bytes, documents }: ReadProof): Promise<Proven> {
    const { height } = statement;
    const epoch = await this.#epoch(toHex(statement.epochId), height);
    let listed: SignedCheckpoint = checkpoint;
    for (let ask = 0; ask < MAX_ASKS; ask++) {
      if (isQuorumOf(epoch, signersOf(this.o.verify, { ...listed, height }, bytes, epoch)))
        return this.#provenAt(documents, statement);
      await this.o.pause(ASK_MS);
      const [found] = readCheckpoints(await this.o.source.checkpoints(height - 1, 1), height - 1, 1);
      if (found?.height !== height) continue;
      if (found.statement !== toHex(bytes))
        throw new LogFault('proof', `the proof is of another checkpoint ${height} than the seats signed`, {
          checkpoint: height,
        });
      listed = found;
    }
    throw new LogFault('weight', `the seats that signed checkpoint ${height} have too little weight`, {
      checkpoint: height,
    });
  }

  #provenAt(documents: ProvenText[], { height, order, timeMs, stateRoot }: CheckpointStatement): Proven {
    return {
      genesisHash: this.genesis.hashHex,
      documents,
      height,
      order,
      timeMs,
      stateRoot: toHex(stateRoot),
    };
  }

  /** The epoch with an id; follows the seals first. Errors: LogFault. */
  async #epoch(id: string, height: number): Promise<Epoch> {
    const known = this.#known(id);
    if (known) return known;
    await this.#follow();
    const found = this.#known(id);
    if (found) return found;
    const text = `checkpoint ${height} is of an epoch whose seats are not proven`;
    throw new LogFault('answer', text, { checkpoint: height });
  }

  #known(id: string): Epoch | undefined {
    const { seals, epoch } = this.chain;
    const all = [seals[0]?.sealed ?? epoch, ...seals.map(({ opened }) => opened)];
    return all.find((one) => toHex(one.id) === id);
  }

  async #follow(): Promise<void> {
    for (;;) {
      const from = this.chain.length;
      const answer = decodeMessage(await this.o.source.seals(from));
      if (answer?.type !== 'sealed') throw new LogFault('answer', 'the proofs of seals cannot be read');
      for (const proof of answer.proofs) {
        if (this.chain.add(proof, '')) continue;
        const { kind, text } = this.chain.faults.get('')!;
        throw new LogFault(kind, `the proof of a seal is invalid: ${text}`, { epoch: this.chain.length });
      }
      if (this.chain.length === from) return;
    }
  }
}

/** The documents of a task by their part, of others alone; undefined where there is none. */
export function partsOf(kind: ProofItem, { documents }: Proven): Record<string, unknown> | undefined {
  if (documents.length === 0) return undefined;
  if (kind === 'result') return { content: documents[0]!.text };
  if (kind !== 'task') return JSON.parse(documents[0]!.text) as Record<string, unknown>;
  const names = ['text', 'state', 'submission'];
  return Object.fromEntries(
    documents.map(({ key, text }) => [names[fromHex(key)!.at(-1)!] ?? 'other', JSON.parse(text)]),
  );
}
