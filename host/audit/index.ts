// The package's ./verify: the public interface of the auditor.

export { hasSimd } from '../crypto/ed25519-wasm.ts';
export { MODULE_DIGESTS } from '../modules/module-digests.ts';
export {
  compileModules,
  type Digests,
  MODULE_NAMES,
  type ModuleName,
  type Modules,
} from '../modules/modules.ts';
export { type FaultKind, type FaultPlace, LogFault } from '../wire/log-fault.ts';
export { type CheckedAgent, checkedAgent, checkedEvent, checkedTask, type Kind } from './answers.ts';
export { BrowserStore } from './browser-store.ts';
export type { VerifierStore } from './kept-rows.ts';
export { HttpSource, type LogSource, type ReportedDocument, type SignedCheckpoint } from './source.ts';
export { Verifier, VerifierClosed } from './verifier.ts';
export type * from './verifier-types.ts';
