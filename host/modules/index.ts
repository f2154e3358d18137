// The package's ./core: the WebAssembly modules and thin typed bindings, for browsers and for Node.
// Keeps: only loadModules accesses a disk or a network.

export * as abi from '../../assembly/abi.ts';
export * as consensusAbi from '../../assembly/consensus/abi.ts';
export * as ed25519Layout from '../../assembly/ed25519/layout.ts';
export * as commands from '../core/commands.ts';
export { Consensus } from '../core/consensus.ts';
export type * from '../core/consensus-types.ts';
export { Core, type CoreConfig, CoreTrap, type OutView } from '../core/core.ts';
export { type Outcome, readOutcomes } from '../core/outcomes.ts';
export { hasSimd } from '../core/simd.ts';
export { State } from '../core/state.ts';
export { type Ed25519Wasm, openEd25519 } from '../crypto/ed25519-wasm.ts';
export type { SignatureJob } from '../wire/bytes.ts';
export { loadModules, moduleUrl } from './load-modules.ts';
export { MODULE_DIGESTS } from './module-digests.ts';
export { compileModules, type Modules } from './modules.ts';
