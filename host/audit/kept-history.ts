// The signed checkpoints that an audit has seen, kept with their signatures, so that a node that later shows another
// history is met with a proof (two-histories.ts).
// Keeps: what is noted was computed here, or is the seal at which the audit began, and its signatures were checked.

import type { VerifyMany } from '../crypto/verifier.ts';
import type { Epoch, EpochDoc } from '../ordering/epoch.ts';
import { readEpochDoc } from '../ordering/epoch.ts';
import { readCheckpoints, type SignedCheckpoint } from '../proofs/readings.ts';
import type { CheckpointDoc } from '../store/documents.ts';
import { readU32, rowKey } from '../store/prefixes.ts';
import { readJson, WriteSet } from '../store/write-set.ts';
import { decodeCheckpoint } from '../wire/block.ts';
import { fromHex } from '../wire/bytes.ts';
import type { Genesis } from '../wire/genesis.ts';
import { LogFault } from '../wire/log-fault.ts';
import type { VerifierStore } from './kept-rows.ts';
import type { LogSource } from './source.ts';
import { checkTwoHistories, doubleText, NoProof, type TwoHistories, twoHistories } from './two-histories.ts';

/** Two histories, with the proof. */
export class HistoriesFault extends LogFault {
  constructor(
    message: string,
    height: number,
    readonly proof: TwoHistories,
  ) {
    super('histories', message, { checkpoint: height });
  }
}

interface HistoryOptions {
  store: VerifierStore;
  genesis: Genesis;
  /** Epoch 0. */
  first: Epoch;
  verify: VerifyMany;
}

export class KeptHistory {
  constructor(private readonly o: HistoryOptions) {}

  /** A checkpoint of this height as computed or signed here; undefined for none. */
  async at(height: number): Promise<CheckpointDoc | undefined> {
    return height > 0
      ? readJson<CheckpointDoc>(await this.o.store.find(rowKey.checkpoint(height)))
      : undefined;
  }

  /** Keeps checkpoints with their signatures, of which each was verified. */
  async note(signed: readonly SignedCheckpoint[]): Promise<void> {
    const set = new WriteSet(this.o.store);
    for (const { height, statement, signatures } of signed) {
      const doc = await this.at(height);
      if (doc?.statement !== statement) continue;
      set.putJson(rowKey.checkpoint(height), { ...doc, signatures });
    }
    await this.o.store.write(set.ops());
  }

  /** The epoch with this id, if it is one of this history. */
  async epochById(id: Uint8Array): Promise<Epoch | undefined> {
    const { store, first, genesis } = this.o;
    const number = await store.find(rowKey.epochById(id));
    const doc = number && readJson<EpochDoc>(await store.find(rowKey.epoch(readU32(number))));
    const epoch = doc ? readEpochDoc(doc, first, genesis.hash) : first;
    return epoch.id.every((byte, i) => byte === id[i]) ? epoch : undefined;
  }

  /**
   * Looks whether the node's signed checkpoints are the ones kept here. `top`: the newest that both have, if the node
   * lists it. Errors: LogFault `histories` with a proof, or `order` where too few signatures are kept for one.
   */
  async compare(source: LogSource, top: number): Promise<void> {
    const differs = async (height: number): Promise<[CheckpointDoc, SignedCheckpoint] | undefined> => {
      const ours = await this.at(height);
      if (!ours) return undefined;
      const [theirs] = readCheckpoints(await source.checkpoints(height - 1, 1), height - 1, 1);
      return theirs?.height === height && theirs.statement !== ours.statement ? [ours, theirs] : undefined;
    };
    let found = await differs(top);
    if (!found) return;
    // Once they differ they differ for ever: each checkpoint covers everything before it.
    for (let [equal, other] = [0, top]; other - equal > 1; ) {
      const middle = Math.floor((equal + other) / 2);
      const pair = await differs(middle);
      if (pair) [other, found] = [middle, pair];
      else equal = middle;
    }
    await this.#fault(...found);
  }

  async #fault(ours: CheckpointDoc, theirs: SignedCheckpoint): Promise<never> {
    const { height } = ours;
    const { epochId } = decodeCheckpoint(fromHex(ours.statement)!)!;
    const epoch = await this.epochById(epochId);
    const proof = epoch && twoHistories(this.o.genesis.hashHex, epoch, ours, theirs);
    try {
      if (proof) throw new HistoriesFault(doubleText(checkTwoHistories(proof, this.o.verify)), height, proof);
    } catch (error) {
      if (!(error instanceof NoProof)) throw error;
    }
    throw new LogFault(
      'order',
      `the node shows another checkpoint ${height} than the one that was checked before: one of both histories is false`,
      { checkpoint: height },
    );
  }
}
