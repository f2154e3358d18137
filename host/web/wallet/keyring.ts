// The keys of this visit. They live in the page's memory, and in this browser's storage only on request.
// Keeps: only what the visitor asked to store is stored; withdrawing that removes all of it.

import { systemEnvironment, type VwsClient } from '../../client/index.ts';
import { baseUrl } from '../data/node.ts';
import { cellOf } from '../data/watched.ts';
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
export const keyring = cellOf<Keyring>({ accounts: kept, active: kept[0], isKept: kept.length > 0 });

function change(part: Partial<Keyring>): void {
  const next = { ...keyring.now(), ...part };
  if (next.isKept) localStorage.setItem(STORED, JSON.stringify(next.accounts.map(keyText)));
  keyring.set(next);
}

function add(key: Key): void {
  const { accounts } = keyring.now();
  const known = accounts.find(({ id }) => id === key.signer.publicKeyHex);
  const active = known ?? accountOf(key);
  change({ accounts: known ? accounts : [...accounts, active], active });
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
  change({ active: keyring.now().accounts.find((account) => account.id === id) });
}

/** Throws if the browser blocks storage. */
export function keepKeys(isKept: boolean): void {
  if (!isKept) localStorage.removeItem(STORED);
  change({ isKept });
}

export function deleteKey(id: string): void {
  const { accounts: all, isKept } = keyring.now();
  const accounts = all.filter((account) => account.id !== id);
  if (accounts.length === 0 && isKept) localStorage.removeItem(STORED);
  change({ accounts, active: accounts[0], isKept: isKept && accounts.length > 0 });
}
