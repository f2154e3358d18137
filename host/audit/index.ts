// The package's ./verify: the public interface of the auditor.

export { hasSimd } from '../core/simd.ts';
export { MODULE_DIGESTS } from '../modules/module-digests.ts';
export {
  compileModules,
  type Digests,
  MODULE_NAMES,
  type ModuleName,
  type Modules,
} from '../modules/modules.ts';
export { type ProvenText, type ReadProof, readProofAnswer } from '../proofs/proof-reader.ts';
export { Proofs, type Proven, partsOf } from '../proofs/proofs.ts';
export type { SignedCheckpoint } from '../proofs/readings.ts';
export { type FaultKind, type FaultPlace, LogFault } from '../wire/log-fault.ts';
export { type CheckedAgent, checkedAgent, checkedEvent, checkedTask, type Kind } from './answers.ts';
export { BOUNDS, type Bounds } from './bounds.ts';
export { BrowserStore } from './browser-store.ts';
export { checkpointCode, type Pin, readPin } from './checkpoint-code.ts';
export type { Finding, FindingKind } from './freshness.ts';
export type { VerifierStore } from './kept-rows.ts';
export { openProofs, type ProofOptions } from './open-proofs.ts';
export { MAX_ASKED, type Numbers, type NumbersOf, recomputed } from './recomputed.ts';
export { SHOWN, type Shown, weakest } from './shown.ts';
export { HttpSource, type LogSource, type ReportedDocument } from './source.ts';
export {
  checkTwoHistories,
  type Double,
  doubleText,
  NoProof,
  type TwoHistories,
} from './two-histories.ts';
export { Verifier, VerifierClosed } from './verifier.ts';
export type * from './verifier-types.ts';
