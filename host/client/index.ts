// The client's public exports.

export { type Proven, partsOf } from '../proofs/proofs.ts';
export { LogFault } from '../wire/log-fault.ts';
export type { ProofItem, ProofList } from '../wire/proof-kinds.ts';
export { signAgentCard } from './agent-card.ts';
export type { BodyOf } from './bodies.ts';
export type { Query } from './calls.ts';
export type { ProofTrust } from './checked-proofs.ts';
export { type Fate, VwsClient, type VwsClientOptions } from './client.ts';
export { type ClientEnvironment, systemEnvironment } from './environment.ts';
export {
  checkFingerprint,
  type FingerprintEntry,
  type ReplayedFingerprint,
  replayFingerprint,
} from './fingerprint.ts';
export type * from './objects.ts';
export { contentKey, openResult, type SealedResult, sealResult, sealWebhookSecret } from './sealed.ts';
export type { Opening, SealTrust } from './sealed-task.ts';
export { SeenOrder } from './seen-order.ts';
export type { SignedRequest } from './signed-request.ts';
export { type Signer, signerFromSeed } from './signer.ts';
export { type FollowOptions, followEvents } from './stream.ts';
export type { SocketLike, WritingSocket } from './stream-link.ts';
export type * from './stream-types.ts';
export { overStream, type WritesOver } from './stream-writes.ts';
export type { DeliverOptions } from './task-calls.ts';
export type { TrialReport } from './task-contract.ts';
export type { Reply } from './transport.ts';
export { type ClientCode, VwsError } from './vws-error.ts';
