// The WebAssembly modules that an auditor runs: exactly the bytes that the validators run.
// Keeps: modules downloaded from a node are compared with the digests of this package before anything is executed.

import { toHex } from '../wire/bytes.ts';
import { sha256 } from '../wire/hash.ts';
import { LogFault } from '../wire/log-fault.ts';

export const MODULE_NAMES = ['core', 'consensus', 'ed25519'] as const;
export type ModuleName = (typeof MODULE_NAMES)[number];

/** Compiled modules. `core`, `ed25519`: the build with SIMD or the one without. */
export type Modules = Readonly<Record<ModuleName, WebAssembly.Module>>;

/** SHA-256 of each module in hex; several where equivalent builds exist. */
export type Digests = Readonly<Record<ModuleName, readonly string[]>>;

/** Compiles modules. Errors: LogFault `module` for bytes with another digest. */
export async function compileModules(
  bytes: Readonly<Record<ModuleName, Uint8Array<ArrayBuffer>>>,
  digests: Digests,
): Promise<Modules> {
  for (const name of MODULE_NAMES) {
    const digest = toHex(sha256(bytes[name]));
    if (!digests[name].includes(digest)) {
      throw new LogFault(
        'module',
        `${name}.wasm has digest ${digest}, that of this version has ${digests[name].join(' or ')}`,
      );
    }
  }
  const [core, consensus, ed25519] = await Promise.all(
    MODULE_NAMES.map((name) => WebAssembly.compile(bytes[name])),
  );
  return { core: core!, consensus: consensus!, ed25519: ed25519! };
}
