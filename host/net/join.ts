// Joins a network from a signed checkpoint (consensus 5.12 "Joining"): finds the newest seal that peers prove and whose state
// one of them serves, fetches that state, and checks it against the signed root. The epoch after it is fetched by catch-up.
// Keeps: no peer is trusted; data that fails a check is discarded, the peer is named, and the next one is asked; who took time
// in vain is asked last from then on, since the states of others do not wait for long.

import type { HostPort } from '../config/config.ts';
import type { Core } from '../core/core.ts';
import type { VerifyMany } from '../crypto/verifier.ts';
import type { Logger } from '../log.ts';
import { genesisEpoch } from '../ordering/epoch.ts';
import type { Head } from '../ordering/head.ts';
import { readHistory } from '../store/history.ts';
import type { EpochLimits } from '../wire/block.ts';
import { pause } from '../world/clock.ts';
import { type Store, StoreError } from '../world/store.ts';
import { type Offer, provenOffers } from './join-offers.ts';
import { JoinPeer, type JoinPeerOptions } from './join-peer.ts';
import { isOpened, SealChain } from './join-seals.ts';
import { beginJoin, discardReceived, finishJoin } from './join-store.ts';
import { Transfer } from './join-transfer.ts';

/** Peers that are asked. */
const MAX_PEERS = 8;
const RETRY_MS = 2000;
/** Further attempts where a seal is so new that its vertices are still on their way, and joining is only tried. */
const MAX_EARLY = 3;
/** Peers can serve the state from their next seal on, which comes within ten minutes. */
const PATIENCE_MS = 15 * 60_000;
const LOG_MS = 30_000;

/** No peer served a state that passes the checks. The message tells the operator why, for each peer. */
export class JoinFailed extends Error {
  override name = 'JoinFailed';
}

export interface JoinOptions extends JoinPeerOptions {
  store: Store;
  log: Logger;
  addresses: readonly HostPort[];
  /**
   * True: the operator requires a checkpoint, so joining is tried for 15 minutes. False: it is tried once, and again where a
   * peer took time in vain or its seal is a moment old, and only if peers are past their first epoch.
   */
  isWanted: boolean;
  verify: VerifyMany;
  /** Bytes that the disk has room for; Infinity where nobody can tell. */
  roomBytes(): number;
  /** A fresh core of this network. */
  openCore(): Promise<Core>;
  /** Smaller limits of an epoch, for tests. */
  limits?: EpochLimits;
}

/**
 * Returns the head of the joined log; undefined when there is nothing to join, or when joining failed and is not required:
 * then what was received is discarded. Errors: JoinFailed, StoreError.
 */
export async function join(o: JoinOptions): Promise<Head | undefined> {
  const startedMs = o.clock.monotonicMs();
  let loggedMs = Number.NEGATIVE_INFINITY;
  const failures = new Map<string, number>();
  for (let retries = 0; ; retries++) {
    const attempt = new Attempt(o, failures);
    const head = await attempt.run();
    if (head || (!o.isWanted && !attempt.isWorthIt)) return head;
    if (attempt.hasMissed && retries < MAX_PEERS) continue;
    if (attempt.isEarly && retries < MAX_EARLY) {
      await pause(o.clock, RETRY_MS);
      continue;
    }
    const why = [...attempt.faults].map(([name, fault]) => `${name}: ${fault}`).join('; ');
    const nowMs = o.clock.monotonicMs();
    if (!o.isWanted) {
      o.log.warn({ why }, 'no peer could serve a checkpoint to join from: replaying from the beginning');
      return undefined;
    }
    if (nowMs - startedMs > PATIENCE_MS)
      throw new JoinFailed(`no peer serves a checkpoint to join from: ${why}`);
    if (nowMs - loggedMs > LOG_MS) {
      loggedMs = nowMs;
      o.log.info({ why }, 'no peer can serve a checkpoint yet; peers can after their next epoch seal');
    }
    await pause(o.clock, RETRY_MS);
  }
}

class Attempt {
  readonly #peers: JoinPeer[] = [];
  readonly #chain: SealChain;
  /** Peer, by key or address -> why it could not be used. */
  readonly faults = new Map<string, string>();
  /** At least one peer is past its first epoch. */
  isWorthIt = false;
  /** A peer took time in vain, and another one could not serve its state any more. */
  hasMissed = false;
  /** A peer has a seal that is so new that too few have shown vertices after it: a moment later they have. */
  isEarly = false;

  constructor(
    private readonly o: JoinOptions,
    /** Peer, by key and by address -> how often it took time in vain. */
    private readonly failures: Map<string, number>,
  ) {
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
      for (const [i, offer] of offers.entries()) {
        const head = await this.#from(offer, i === offers.length - 1);
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
      // A host may resolve to several addresses of one node, which keeps one link.
      else this.#peers.push(peer);
    }
  }

  /** Proves seals as far as the peers together can; returns what each offers then, the best first. */
  async #prove(): Promise<Offer[]> {
    const offers = await provenOffers(this.#peers, this.#chain, this.o.log);
    for (const [key, fault] of this.#chain.faults) this.#blame(key, fault.text);
    return this.#usable(offers);
  }

  #usable(offers: readonly Offer[]): Offer[] {
    const usable = offers.filter(({ peer, answer: { offered } }) => {
      if (offered === 0) this.#blame(peer.key, 'it serves no state before its next seal');
      else if (offered > this.#chain.length) {
        this.#blame(peer.key, `the seals up to epoch ${offered} are not proven`);
      }
      return offered > 0 && offered <= this.#chain.length;
    });
    const firstSeq = (offer: Offer): number => offer.peer.head!.from.seq;
    return usable.sort(
      (a, b) =>
        this.#failuresOf(a) - this.#failuresOf(b) ||
        b.answer.offered - a.answer.offered ||
        firstSeq(a) - firstSeq(b),
    );
  }

  // Whoever changes its key is known by its address.
  #failuresOf({ peer }: Pick<Offer, 'peer'>): number {
    return Math.max(...namesOf(peer).map((name) => this.failures.get(name) ?? 0));
  }

  #blame(key: string, fault: string): void {
    if (!this.faults.has(key)) this.faults.set(key, fault);
  }

  /** The log from before is with others; documents may be missing too, where the peer had a short history. */
  #sayWhatIsMissing(): void {
    const { log, documents } = readHistory(this.o.store);
    const whole = this.#peers.filter(({ head }) => head!.from.epoch === 0).map(({ key }) => key);
    this.o.log.info(
      { log, documents, whole },
      `history from order ${log.order} on; the whole log: ${
        whole.length > 0 ? 'see the peers named' : 'no peer that was asked has it'
      }`,
    );
    if (documents.seq > 1)
      this.o.log.warn({ documents }, 'documents of older events are missing: the peer had dropped them');
  }

  async #from({ peer, answer }: Offer, isLast: boolean): Promise<Head | undefined> {
    const { store, log, verify, openCore } = this.o;
    const { offered: epoch, rowCount, openers } = answer;
    const seals = this.#chain.seals.slice(0, epoch);
    if (!isOpened(seals.at(-1)!.opened, openers, verify)) {
      this.isEarly = true;
      this.#blame(peer.key, `it shows vertices of less than a third of the weight in epoch ${epoch}`);
      return undefined;
    }
    log.info({ peer: peer.key, epoch, order: seals.at(-1)!.statement.order }, 'joining from a checkpoint');
    await beginJoin(store, epoch);
    const transfer = new Transfer({ ...this.o, epoch, rowCount, isLast }, peer);
    try {
      await transfer.run();
      const validatorIds = this.o.genesis.manifest.entries.map((e) => e.validator_id);
      const head = await finishJoin(store, await openCore(), seals, validatorIds);
      log.info({ epoch, order: head.order, rows: transfer.rows, bytes: transfer.bytes }, 'joined');
      this.#sayWhatIsMissing();
      return head;
    } catch (error) {
      if (error instanceof StoreError) throw error;
      const fault = (error as Error).message;
      log.error(
        { peer: peer.key, address: peer.address, fault },
        'rejected the checkpoint data sent by a peer',
      );
      this.faults.set(peer.key, fault);
      if (transfer.isGone && transfer.rows === 0) this.hasMissed ||= this.failures.size > 0;
      else for (const name of namesOf(peer)) this.failures.set(name, (this.failures.get(name) ?? 0) + 1);
      await discardReceived(store);
      return undefined;
    } finally {
      transfer.close();
    }
  }
}

const namesOf = ({ key, address: { host, port } }: JoinPeer): string[] => [key, `${host}:${port}`];
