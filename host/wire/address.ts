// Deposit addresses (protocol 12.6): bech32m (BIP-350) over the first 20 bytes of SHA-256(public key).
// Keeps: one text for each address. A wrong checksum, another network, mixed case and a wrong length are all rejected,
// so a typing error never names somebody else.

import { sha256 } from './hash.ts';

const CHARSET = 'qpzry9x8gf2tvdw0s3jn54khce6mua7l';
const GENERATOR = [0x3b6a57b2, 0x26508e6d, 0x1ea119fa, 0x3d4233dd, 0x2a1462b3];
const BECH32M = 0x2bc830a3;
const CHECKSUM_SYMBOLS = 6;

/** Bytes of an address. */
const ADDRESS_BYTES = 20;
const DATA_SYMBOLS = (ADDRESS_BYTES * 8) / 5; // 160 bits are 32 symbols, without padding bits

const prefixOf = (testnet: boolean): string => (testnet ? 'tvws' : 'vws');

/** The BCH remainder of BIP-173 over prefix and symbols. */
function remainder(prefix: string, symbols: readonly number[]): number {
  let state = 1;
  const feed = (symbol: number): void => {
    const top = state >>> 25;
    state = ((state & 0x1ffffff) << 5) ^ symbol;
    for (let bit = 0; bit < 5; bit++) if ((top >>> bit) & 1) state ^= GENERATOR[bit]!;
  };
  for (let i = 0; i < prefix.length; i++) feed(prefix.charCodeAt(i) >> 5);
  feed(0);
  for (let i = 0; i < prefix.length; i++) feed(prefix.charCodeAt(i) & 31);
  for (const symbol of symbols) feed(symbol);
  return state >>> 0;
}

/**
 * Regroups a bit string from symbols of `from` bits into symbols of `to` bits; the total must divide
 * evenly.
 */
function regroup(symbols: Iterable<number>, from: number, to: number): number[] {
  const out: number[] = [];
  let pending = 0;
  let bits = 0;
  for (const symbol of symbols) {
    pending = (pending << from) | symbol;
    bits += from;
    while (bits >= to) {
      bits -= to;
      out.push((pending >> bits) & ((1 << to) - 1));
    }
    pending &= (1 << bits) - 1;
  }
  return out;
}

/** The text of 20 address bytes, in lower case. */
export function formatAddress(bytes: Uint8Array, testnet: boolean): string {
  if (bytes.length !== ADDRESS_BYTES) throw new RangeError('an address has 20 bytes');
  const prefix = prefixOf(testnet);
  const data = regroup(bytes, 8, 5);
  const check = remainder(prefix, [...data, 0, 0, 0, 0, 0, 0]) ^ BECH32M;
  for (let i = CHECKSUM_SYMBOLS - 1; i >= 0; i--) data.push((check >>> (5 * i)) & 31);
  return `${prefix}1${data.map((symbol) => CHARSET[symbol]).join('')}`;
}

/** The 20 address bytes of a 32-byte public key. */
export function addressBytes(publicKey: Uint8Array): Uint8Array {
  return sha256(publicKey).slice(0, ADDRESS_BYTES);
}

/** Deposit address of a 32-byte public key. */
export function encodeAddress(publicKey: Uint8Array, testnet: boolean): string {
  return formatAddress(addressBytes(publicKey), testnet);
}

/** The 20 bytes of an address of this network, all-lower or all-upper case; otherwise undefined. */
export function decodeAddress(text: string, testnet: boolean): Uint8Array | undefined {
  const lower = text.toLowerCase();
  if (text !== lower && text !== text.toUpperCase()) return undefined;
  const prefix = prefixOf(testnet);
  if (!lower.startsWith(`${prefix}1`)) return undefined;
  const symbols = [...lower.slice(prefix.length + 1)].map((char) => CHARSET.indexOf(char));
  if (symbols.length !== DATA_SYMBOLS + CHECKSUM_SYMBOLS || symbols.includes(-1)) return undefined;
  if (remainder(prefix, symbols) !== BECH32M) return undefined;
  return Uint8Array.from(regroup(symbols.slice(0, DATA_SYMBOLS), 5, 8));
}
