// The core by @assemblyscript/loader: for those who know it, it opens the module like any other of AssemblyScript, though
// nothing in the ABI needs it (docs/decisions/0008-flat-abi.md).

import { readFileSync } from 'node:fs';
import { instantiateSync } from '@assemblyscript/loader';
import { describe, expect, it } from 'vitest';
import * as abi from '../../assembly/abi.ts';

interface CoreExports {
  [name: string]: unknown;
  core_abi_version(): number;
}

describe('@assemblyscript/loader', () => {
  const { exports } = instantiateSync<CoreExports>(readFileSync('build/core.wasm'), {});

  it('opens core.wasm without imports', () => {
    expect(exports.core_abi_version()).toBe(abi.ABI_VERSION);
  });

  it('sees its memory', () => {
    expect(exports.memory).toBeInstanceOf(WebAssembly.Memory);
  });
});
