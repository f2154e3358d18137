// Signed requests, kept before they are sent, so that a repeated call is the same request and not a second payment.
//
//   <spool>/requests/<SHA-256 of the idempotency key>.json           the request, written once, never changed
//   <spool>/requests/<SHA-256 of the idempotency key>.copies.json    that its only copy was refused, or that a second may be out
//   <spool>/requests/<SHA-256 of the idempotency key>.outcome.json   how it ended, once that is certain
//
// Keeps: a request that is sent is on disk before (fsync); one key names one request for good. A refusal is final only where
// no other copy was sent, by any process: one file, written once, decides between the two. Files stay: a key that was
// forgotten would be a second payment.

import type { SignedRequest } from '../client/signed-request.ts';
import { sha256Hex } from '../wire/hash.ts';
import type { Files } from '../world/files.ts';

/** Longer answers are not kept: the event and the state show what happened. */
const MAX_KEPT_CHARS = 65_536;

export interface KeptRequest {
  key: string;
  /** Of what was asked: the same key with another fingerprint is a mistake. */
  fingerprint: string;
  request: SignedRequest;
}

interface Refused {
  kind: 'refused';
  error: { status: number; code: string; message: string; details?: Record<string, unknown> };
}

export type Outcome = { kind: 'done'; answer: unknown } | Refused;

type Copies = { kind: 'again' } | Refused;

export class Spool {
  /** The end of what was last begun under a key. */
  readonly #running = new Map<string, Promise<void>>();

  constructor(
    private readonly files: Pick<Files, 'exists' | 'readText' | 'writeNew' | 'makeDirectory'>,
    private readonly folder: string,
  ) {}

  /**
   * Runs what is done under a key after what this process does under it already: a copy that is on its way must not outlive
   * the refusal of another.
   */
  async alone<T>(key: string, run: () => Promise<T>): Promise<T> {
    const before = this.#running.get(key);
    const own = (before ?? Promise.resolve()).then(run);
    const over = own.then(
      () => {},
      () => {},
    );
    this.#running.set(key, over);
    try {
      return await own;
    } finally {
      if (this.#running.get(key) === over) this.#running.delete(key);
    }
  }

  find(key: string): KeptRequest | undefined {
    return this.#read<KeptRequest>(this.#path(key));
  }

  /** What is kept under its key from now on: this request, or the one that was there before. */
  keep(kept: KeptRequest): KeptRequest {
    return this.#writeOnce(this.#path(kept.key), kept) ? kept : this.find(kept.key)!;
  }

  outcome(key: string): Outcome | undefined {
    const outcome = this.#read<Outcome>(this.#path(key, 'outcome'));
    if (outcome) return outcome;
    const copies = this.#read<Copies>(this.#path(key, 'copies'));
    return copies?.kind === 'refused' ? copies : undefined;
  }

  /** Notes what was answered to a request that was carried out. */
  finish(key: string, answer: unknown): void {
    const outcome: Outcome = { kind: 'done', answer };
    if (JSON.stringify(outcome).length <= MAX_KEPT_CHARS)
      this.#writeOnce(this.#path(key, 'outcome'), outcome);
  }

  /** Notes that the first copy was refused. False: another one may be on its way, so that this says nothing. */
  refuse(key: string, error: Refused['error']): boolean {
    const { details: _, ...short } = error;
    const isLong = JSON.stringify(error).length > MAX_KEPT_CHARS;
    const refused: Copies = { kind: 'refused', error: isLong ? short : error };
    return this.#writeOnce(this.#path(key, 'copies'), refused);
  }

  /** Before another copy than the first is sent. False: it must not be, the first one was refused. */
  repeat(key: string): boolean {
    const again: Copies = { kind: 'again' };
    const path = this.#path(key, 'copies');
    return this.#writeOnce(path, again) || this.#read<Copies>(path)?.kind === 'again';
  }

  #path(key: string, what?: 'outcome' | 'copies'): string {
    return `${this.folder}/requests/${sha256Hex(key)}${what === undefined ? '' : `.${what}`}.json`;
  }

  #read<T>(path: string): T | undefined {
    return this.files.exists(path) ? (JSON.parse(this.files.readText(path)) as T) : undefined;
  }

  /** False: it exists. */
  #writeOnce(path: string, value: object): boolean {
    this.files.makeDirectory(`${this.folder}/requests`);
    try {
      this.files.writeNew(path, `${JSON.stringify(value)}\n`, 0o600);
      return true;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
      throw error;
    }
  }
}
