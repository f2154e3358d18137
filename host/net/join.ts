// Joins a network from a signed checkpoint (consensus 5.12 "Joining"): finds the newest seal that peers can prove and give,
// fetches the state at it, and checks that against what the seats have signed. The epoch after it comes by catching up.
// Keeps: nothing is believed for who says it; what fails is thrown away, the peer named, the next one asked.

import type { HostPort } from '../config/config.ts';
import type { Core } from '../core/core.ts';
import type { VerifyMany } from '../crypto/verifier.ts';
import type { Logger } from '../log.ts';
import { genesisEpoch } from '../ordering/epoch.ts';
import type { Head } from '../ordering/head.ts';
import type { EpochLimits } from '../wire/block.ts';
import { type Store, StoreError } from '../world/store.ts';
import { JoinPeer, type JoinPeerOptions } from './join-peer.ts';
import { isOpened, SealChain } from './join-seals.ts';
import { beginJoin, discardReceived, finishJoin } from './join-store.ts';
import { pause, Transfer } from './join-transfer.ts';
import type { Message } from './messages.ts';

/** Peers that are asked at most. */
const MAX_PEERS = 8;
const RETRY_MS = 2000;
/** Peers can give the state from their next seal on, which comes after ten minutes at most. */
const PATIENCE_MS = 15 * 60_000;
const LOG_MS = 30_000;

/** No peer could give a state that proves itself. The message names them and why, for the operator. */
export class JoinFailed extends Error {
  override name = 'JoinFailed';
}

export interface JoinOptions extends JoinPeerOptions {
  store: Store;
  log: Logger;
  addresses: readonly HostPort[];
  /**
   * True: the operator wants it this way, so it is tried for a quarter of an hour. False: only if peers are past their
   * first epoch, and once.
   */
  isWanted: boolean;
  verify: VerifyMany;
  /** A fresh core of this network. */
  openCore(): Promise<Core>;
  /** Smaller limits of an epoch, for tests. */
  limits?: EpochLimits;
}

interface Offer {
  peer: JoinPeer;
  answer: Extract<Message, { type: 'sealed' }>;
}

/**
 * Where the log stands when it was joined; undefined when there is nothing to join, or when it did not work and is not
 * insisted on: what was received is gone then. Errors: JoinFailed, StoreError.
 */
export async function join(o: JoinOptions): Promise<Head | undefined> {
  const startedMs = o.clock.monotonicMs();
  let toldMs = Number.NEGATIVE_INFINITY;
  for (;;) {
    const attempt = new Attempt(o);
    const head = await attempt.run();
    if (head || (!o.isWanted && !attempt.isWorthIt)) return head;
    const why = [...attempt.faults].map(([name, fault]) => `${name}: ${fault}`).join('; ');
    const nowMs = o.clock.monotonicMs();
    if (!o.isWanted) {
      o.log.warn({ why }, 'no peer could give a checkpoint to join from: replaying from the beginning');
      return undefined;
    }
    if (nowMs - startedMs > PATIENCE_MS)
      throw new JoinFailed(`no peer gives a checkpoint to join from: ${why}`);
    if (nowMs - toldMs > LOG_MS) {
      toldMs = nowMs;
      o.log.info({ why }, 'waiting for a peer that gives a checkpoint: each does from its next seal on');
    }
    await pause(o.clock, RETRY_MS);
  }
}

class Attempt {
  readonly #peers: JoinPeer[] = [];
  readonly #chain: SealChain;
  /** Peer, by key or address -> why it was of no use. */
  readonly faults = new Map<string, string>();
  /** Some peer is past its first epoch. */
  isWorthIt = false;

  constructor(private readonly o: JoinOptions) {
    this.#chain = new SealChain(genesisEpoch(o.genesis, o.limits), o.genesis.hash, o.verify);
  }

  async run(): Promise<Head | undefined> {
    try {
      await this.#connect();
      this.isWorthIt = this.#peers.some(({ head }) => head!.epoch > 0);
      if (!this.isWorthIt) {
        for (const { key } of this.#peers)
          this.faults.set(key, 'it is in its first epoch: there is no seal yet');
        return undefined;
      }
      const offers = await this.#prove();
      for (const offer of offers) {
        const head = await this.#from(offer);
        if (head) return head;
      }
      return undefined;
    } finally {
      for (const peer of this.#peers) peer.close();
    }
  }

  async #connect(): Promise<void> {
    const addresses = this.o.addresses.slice(0, MAX_PEERS);
    const found = await Promise.all(addresses.map((address) => JoinPeer.connect(this.o, address)));
    for (const [i, peer] of found.entries()) {
      const { host, port } = addresses[i]!;
      if (typeof peer === 'string') this.faults.set(`${host}:${port}`, peer);
      // A name may lead to a node by several addresses: it keeps one link.
      else this.#peers.push(peer);
    }
  }

  /** Follows the seals as far as the peers prove them together; what each offers then, the newest first. */
  async #prove(): Promise<Offer[]> {
    for (;;) {
      const from = this.#chain.length;
      const answers = await Promise.all(
        this.#peers.map(async (peer) => ({ peer, answer: await peer.seals(from) })),
      );
      const offers = answers.flatMap(({ peer, answer }) => (answer ? [{ peer, answer }] : []));
      for (let i = 0; this.#isProven(offers, i); ) i++;
      if (this.#chain.length === from) {
        for (const [key, fault] of this.#chain.faults) this.#blame(key, fault);
        return this.#usable(offers);
      }
      this.o.log.info({ seals: this.#chain.length }, 'seals proven');
    }
  }

  /** Do the answers prove the seal that is the i-th of theirs. */
  #isProven(offers: readonly Offer[], i: number): boolean {
    return offers.some(({ peer, answer }) => {
      const proof = answer.proofs[i];
      return proof !== undefined && this.#chain.add(proof, peer.key);
    });
  }

  #usable(offers: readonly Offer[]): Offer[] {
    const usable = offers.filter(({ peer, answer: { offered } }) => {
      if (offered === 0) this.#blame(peer.key, 'it gives no state before its next seal');
      else if (offered > this.#chain.length) {
        this.#blame(peer.key, `the seals up to epoch ${offered} are not proven`);
      }
      return offered > 0 && offered <= this.#chain.length;
    });
    return usable.sort((a, b) => b.answer.offered - a.answer.offered);
  }

  #blame(key: string, fault: string): void {
    if (!this.faults.has(key)) this.faults.set(key, fault);
  }

  async #from({ peer, answer }: Offer): Promise<Head | undefined> {
    const { store, log, verify, openCore } = this.o;
    const { offered: epoch, rowCount, openers } = answer;
    const seals = this.#chain.seals.slice(0, epoch);
    if (!isOpened(seals.at(-1)!.opened, openers, verify)) {
      this.#blame(peer.key, `seats with a third of the weight have not been seen in epoch ${epoch}`);
      return undefined;
    }
    log.info({ peer: peer.key, epoch, order: seals.at(-1)!.statement.order }, 'joining from a checkpoint');
    await beginJoin(store, epoch);
    const transfer = new Transfer({ ...this.o, epoch, rowCount }, peer);
    try {
      await transfer.run();
      const validatorIds = this.o.genesis.manifest.entries.map((e) => e.validator_id);
      const head = await finishJoin(store, await openCore(), seals, validatorIds);
      log.info({ epoch, order: head.order, rows: transfer.rows, bytes: transfer.bytes }, 'joined');
      return head;
    } catch (error) {
      if (error instanceof StoreError) throw error;
      const fault = (error as Error).message;
      log.error({ peer: peer.key, address: peer.address, fault }, 'what a peer gave to join from is refused');
      this.faults.set(peer.key, fault);
      await discardReceived(store);
      return undefined;
    } finally {
      transfer.close();
    }
  }
}
