// A public key on the command line: 64 hex characters, or a file that contains them (`<path>.pub` of vws keygen).

import { readFileSync } from 'node:fs';
import { parsePath } from '../config/setting-values.ts';
import { reasonOf } from './fault-text.ts';

const HEX_KEY = /^[0-9a-fA-F]{64}$/;

/** hex64 in lower case. Errors: an Error that names the given text. */
export function publicKeyFrom(given: string): string {
  const text = HEX_KEY.test(given) ? given : readKeyText(given);
  if (!HEX_KEY.test(text)) throw new Error(`${given} does not contain a hex64 public key`);
  return text.toLowerCase();
}

function readKeyText(path: string): string {
  try {
    return readFileSync(parsePath(path), 'utf8').trim();
  } catch (cause) {
    const reason = reasonOf(cause);
    throw new Error(`${path} is neither a hex64 key nor a readable file: ${reason}`, { cause });
  }
}
