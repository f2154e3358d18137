// The modules of the standard checks, which come with the program on every runtime (protocol 14.7).

import { fromBase64 } from '../wire/base64.ts';
import { CHECK_MODULES } from './check-modules.ts';
import { CHECK_DIGESTS, type CheckName } from './module-digests.ts';

const NAMES = new Map(
  Object.entries(CHECK_DIGESTS).map(([name, hash]) => [hash as string, name as CheckName]),
);
const opened = new Map<string, Uint8Array>();

/** The module of a standard check by its hash in hex; undefined for any other program. */
export function standardCheck(hash: string): Uint8Array | undefined {
  const name = NAMES.get(hash);
  if (name === undefined) return undefined;
  const module = opened.get(hash) ?? fromBase64(CHECK_MODULES[name])!;
  opened.set(hash, module);
  return module;
}
