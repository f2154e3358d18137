// A core in which nothing has happened yet, of the network's parameters.

import { Core, type CoreConfig } from '../core/core.ts';
import type { EpochLimits } from '../wire/block.ts';
import type { Genesis } from '../wire/genesis.ts';
import { paramWords } from '../wire/params.ts';

/** A smaller network than every real one, for tests and simulations: limits of an epoch, rows of the core's tables. */
export interface Scale {
  limits: EpochLimits;
  capacity: NonNullable<CoreConfig['capacity']>;
}

/** `module`: core.wasm. `scale`: all nodes of a network must have the same. */
export const openCore = (genesis: Genesis, module: WebAssembly.Module, scale?: Scale): Core =>
  Core.create(module, {
    chainId: genesis.chainId,
    testnet: genesis.testnet,
    launchTime: genesis.launchTime,
    params: paramWords(genesis.params),
    ...(scale ? { capacity: scale.capacity } : {}),
  });
