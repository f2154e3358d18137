// The keys of this visit. They live in the page's memory, and in this browser's storage only on request.
// Keeps: only what the visitor asked to store is stored; withdrawing that removes all of it.

import { systemEnvironment, type VwsClient } from '../../client/index.ts';
import { baseUrl } from '../data/node.ts';
import { type Key, keyFromSeed, keyText, readKeyText, SEED_BYTES } from './key-text.ts';
import { OnceClient } from './once-client.ts';

const STORED = 'vws.keys';

export interface Account extends Key {
  /** Hex public key; also the agent id, unless another was registered. */
  id: string;
  client: VwsClient;
}

export interface Keyring {
  accounts: readonly Account[];
  active: Account | undefined;
  isKept: boolean;
}

const accountOf = (key: Key): Account => ({
  ...key,
  id: key.signer.publicKeyHex,
  client: new OnceClient({ baseUrl, key: key.signer }),
});

function stored(): Account[] {
  try {
    const texts = JSON.parse(localStorage.getItem(STORED) ?? '[]') as unknown[];
    return texts.flatMap((text) => {
      const key = typeof text === 'string' ? readKeyText(text) : undefined;
      return key ? [accountOf(key)] : [];
    });
  } catch {
    return [];
  }
}

const kept = stored();
let ring: Keyring = { accounts: kept, active: kept[0], isKept: kept.length > 0 };
const watchers = new Set<(ring: Keyring) => void>();

function change(part: Partial<Keyring>): void {
  ring = { ...ring, ...part };
  if (ring.isKept) localStorage.setItem(STORED, JSON.stringify(ring.accounts.map(keyText)));
  for (const notify of watchers) notify(ring);
}

export const keyring = (): Keyring => ring;

/** Reports each change; returns a function that ends this. */
export function watchKeyring(notify: (ring: Keyring) => void): () => void {
  watchers.add(notify);
  return () => watchers.delete(notify);
}

function add(key: Key): void {
  const known = ring.accounts.find(({ id }) => id === key.signer.publicKeyHex);
  const active = known ?? accountOf(key);
  change({ accounts: known ? ring.accounts : [...ring.accounts, active], active });
}

export function makeKey(): void {
  add(keyFromSeed(systemEnvironment.randomBytes(SEED_BYTES)));
}

/** False if the text contains no key. */
export function importKey(text: string): boolean {
  const key = readKeyText(text);
  if (key) add(key);
  return key !== undefined;
}

export function chooseKey(id: string): void {
  change({ active: ring.accounts.find((account) => account.id === id) });
}

/** Throws if the browser blocks storage. */
export function keepKeys(isKept: boolean): void {
  if (!isKept) localStorage.removeItem(STORED);
  change({ isKept });
}

export function deleteKey(id: string): void {
  const accounts = ring.accounts.filter((account) => account.id !== id);
  if (accounts.length === 0 && ring.isKept) localStorage.removeItem(STORED);
  change({ accounts, active: accounts[0], isKept: ring.isKept && accounts.length > 0 });
}
