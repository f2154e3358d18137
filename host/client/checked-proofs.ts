// Proofs of documents that are checked here: what a node shows leads to a root that a quorum of the seats signed
// (consensus 5.18).
// Keeps: the node is believed in nothing but which checkpoint is the newest, and, without a genesis hash, which network it
// is of. Seats are followed from genesis, once for each hash that is named.

import { portableVerifyMany } from '../crypto/portable-verify.ts';
import { Proofs } from '../proofs/proofs.ts';
import type { Calls } from './calls.ts';

export interface ProofTrust {
  /** Genesis hash of the network in hex, from elsewhere than this node; without it the node chooses the network. */
  genesisHash?: string;
}

/** What proofs need of the client. */
interface Caller extends Pick<Calls, 'get'> {
  bytes(path: string, maxBytes: number): Promise<Uint8Array>;
  sleep(ms: number): Promise<void>;
}

/** Proofs of seals come in answers of 1 MiB, unless a single one is longer (protocol 4.11). */
const MAX_SEAL_BYTES = 16 * 1024 * 1024;

export class CheckedProofs {
  /** Genesis hash -> what is known of its seats. */
  readonly #opened = new Map<string, Promise<Proofs>>();

  constructor(private readonly caller: Caller) {}

  /** Errors: LogFault for a node of another network, VwsError. */
  of({ genesisHash = '' }: ProofTrust): Promise<Proofs> {
    const known = this.#opened.get(genesisHash);
    if (known) return known;
    const opened = this.#open(genesisHash);
    this.#opened.set(genesisHash, opened);
    // A node that could not be reached is asked again.
    opened.catch(() => this.#opened.delete(genesisHash));
    return opened;
  }

  #open(genesisHash: string): Promise<Proofs> {
    const { caller } = this;
    return Proofs.open({
      genesisHash: genesisHash === '' ? undefined : genesisHash,
      verify: portableVerifyMany,
      pause: (ms) => caller.sleep(ms),
      source: {
        genesis: () => caller.get('/v1/genesis'),
        seals: (from) => caller.bytes(`/v1/log/seals?from=${from}`, MAX_SEAL_BYTES),
        checkpoints: (after, limit) => caller.get('/v1/checkpoints', { after, limit }),
        proof: (path) => caller.get(path),
      },
    });
  }
}
