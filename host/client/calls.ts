// What the groups of endpoints need from the client, and helpers to build URLs.

import type { Proven } from '../proofs/proofs.ts';
import type { ProofItem } from '../wire/proof-kinds.ts';
import type { OpeningKey } from '../wire/sealed-text.ts';
import type { ProofTrust } from './checked-proofs.ts';
import type { LedgerEvent } from './objects.ts';
import { badCall } from './vws-error.ts';

export type Query = Readonly<Record<string, string | number | boolean | undefined>>;

/** Rebuilds the answer of a write from its event, when the node's own answer was lost. */
export type Rebuild<T> = (event: LedgerEvent) => T | Promise<T>;

export interface Calls {
  /** hex64 public key of the signer; paths may use it as an agent id. */
  readonly ownKey: string | undefined;
  /** What is sealed to the signer's key is opened with it. Errors: `bad_call` without such a key. */
  openingKey(): Promise<OpeningKey>;
  /** From a CSPRNG. */
  randomBytes(length: number): Uint8Array;
  /** A read that must answer 2xx; its body. */
  get<T>(path: string, query?: Query): Promise<T>;
  /** Proves a document under a root that a quorum of the seats signed. Errors: LogFault, TypeError, VwsError. */
  verifyProof(kind: ProofItem, id: string, trust?: ProofTrust): Promise<Proven>;
  /** A write, signed once and sent until there is a result. */
  write<T>(method: string, path: string, body: object, rebuild?: Rebuild<T>): Promise<T>;
}

/** One path segment. URLs drop the segments `.` and `..`, even percent-encoded, and carry no half of a character. */
export function segment(id: string): string {
  if (id === '' || id === '.' || id === '..' || /\p{Surrogate}/u.test(id)) {
    throw badCall(`no URL can carry the id "${id}"`);
  }
  return encodeURIComponent(id);
}

export function queryText(query: Query): string {
  const given = Object.entries(query).filter(([, value]) => value !== undefined);
  if (given.length === 0) return '';
  return `?${new URLSearchParams(given.map(([name, value]): [string, string] => [name, String(value)]))}`;
}
