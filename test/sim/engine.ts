// The two engines a simulated node can run on: the compiled core, and the oracle.
// Keeps: one interface, that of host/core/consensus.ts, so that whatever runs on one runs on the other.

import { readFileSync } from 'node:fs';
import { Consensus, type EpochConfig, type OrderedBlock } from '../../host/core/consensus.ts';
import { useNativeHash } from '../../host/crypto/native-hash.ts';
import { Oracle } from '../model/consensus/oracle.ts';
import { type Rules, SOUND } from '../model/consensus/rules.ts';

// Ids of vertices and blocks are most of what a simulated node computes.
useNativeHash();

export type Engine = Pick<
  Consensus,
  | 'insert'
  | 'preview'
  | 'explain'
  | 'leadersOf'
  | 'slotStatus'
  | 'maxRound'
  | 'quorumWitnesses'
  | 'timely'
  | 'snapshot'
> & { nextBlock(): OrderedBlock | undefined };

export interface EngineMaker {
  name: string;
  create(config: EpochConfig): Engine;
  restore(bytes: Uint8Array): Engine;
}

export function oracleEngine(rules: Rules = SOUND): EngineMaker {
  return {
    name: 'oracle',
    create: (config) => new Oracle(config, rules),
    restore: (bytes) => Oracle.restore(bytes, rules),
  };
}

/** The compiled core. */
export function coreEngine(): EngineMaker {
  const module = new WebAssembly.Module(readFileSync('build/consensus.wasm'));
  return {
    name: 'core',
    create: (config) => Consensus.create(module, { maxVertices: 8000, ...config }),
    restore: (bytes) => Consensus.restore(module, bytes, 8000),
  };
}
