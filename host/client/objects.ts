// Types of the node's answers, derived from the node's own table of objects, so that the two cannot drift.
// Units: amounts in micro-units, `*_at`, deadlines and timestamps in Unix seconds. A member with `?` is absent when
// it does not apply. Types only; nothing is checked here, and a newer node may send members that are not listed.

import type { SCALARS } from '../api/object-types.ts';
import type { OBJECTS, ObjectName } from '../api/objects.ts';

type ScalarName = keyof typeof SCALARS;
type JsonOf<Kind> = Kind extends 'string'
  ? string
  : Kind extends 'boolean'
    ? boolean
    : Kind extends 'integer' | 'number'
      ? number
      : Record<string, unknown>;
type Scalar<S extends ScalarName> = (typeof SCALARS)[S] extends { type: infer Kind } ? JsonOf<Kind> : unknown;
/** The type behind a type name of the table: a scalar, an object, `X[]` or `map<X>`. */
export type TypeOf<T extends string> = T extends `map<${infer Value}>`
  ? Record<string, TypeOf<Value>>
  : T extends `${infer Item}[]`
    ? TypeOf<Item>[]
    : T extends ScalarName
      ? Scalar<T>
      : T extends ObjectName
        ? ObjectOf<T>
        : unknown;
type Rows = Readonly<Record<string, readonly [string, 'A' | 'O', string]>>;
type Members<F extends Rows> = {
  -readonly [K in keyof F as F[K][1] extends 'A' ? K : never]: TypeOf<F[K][0]>;
} & {
  -readonly [K in keyof F as F[K][1] extends 'O' ? K : never]?: TypeOf<F[K][0]>;
};
/** An object of the table as a flat type. */
export type ObjectOf<N extends ObjectName> = {
  [K in keyof Members<(typeof OBJECTS)[N]>]: Members<(typeof OBJECTS)[N]>[K];
};

export type AcceptanceCheck = ObjectOf<'AcceptanceCheck'>;
export type AcceptanceReport = ObjectOf<'AcceptanceReport'>;
export type DisputeJudge = ObjectOf<'DisputeJudge'>;
export type ProgramRuns = ObjectOf<'ProgramRuns'>;
/** An object of another standard than this protocol. */
export type Json = Record<string, unknown>;

export type Activity = ObjectOf<'Activity'>;
export type Address = ObjectOf<'Address'>;
export type Agent = ObjectOf<'Agent'>;
export type AgentRow = ObjectOf<'AgentRow'>;
export type ApiKey = ObjectOf<'ApiKey'>;
export type ApiKeyCreated = ObjectOf<'KeyCreated'>;
export type ApiKeyRevoked = ObjectOf<'KeyRevoked'>;
export type Balance = ObjectOf<'Balance'>;
export type Calibration = ObjectOf<'Calibration'>;
export type Capability = ObjectOf<'Capability'>;
export type Challenge = ObjectOf<'Challenge'>;
export type ChallengeVoted = ObjectOf<'ChallengeVoted'>;
export type Checkpoint = ObjectOf<'Checkpoint'>;
export type DocumentProof = ObjectOf<'DocumentProof'>;
export type ProvenDocument = ObjectOf<'ProvenDocument'>;
export type Trend = ObjectOf<'Trend'>;
export type TrendSample = ObjectOf<'TrendSample'>;
export type Supply = ObjectOf<'Supply'>;
export type SupplyParts = ObjectOf<'SupplyParts'>;
export type SignedCheckpoint = ObjectOf<'SignedCheckpoint'>;
export type Genesis = ObjectOf<'Genesis'>;
export type Contract = ObjectOf<'Contract'>;
export type DagStats = ObjectOf<'DagStats'>;
export type DagTips = ObjectOf<'DagTips'>;
export type DiscoverRow = ObjectOf<'DiscoverRow'>;
export type Economics = ObjectOf<'Economics'>;
export type EventRow = ObjectOf<'EventRow'>;
export type Evidence = ObjectOf<'Evidence'>;
export type FaucetResult = ObjectOf<'FaucetResult'>;
export type GenerationResult = ObjectOf<'GenerationResult'>;
export type Health = ObjectOf<'Health'>;
export type Liveness = ObjectOf<'Liveness'>;
export type Readiness = ObjectOf<'Readiness'>;
export type LeaderboardRow = ObjectOf<'LeaderboardRow'>;
/** The object `Event`; browsers have another type with that name. */
export type LedgerEvent = ObjectOf<'Event'>;
export type Listing = ObjectOf<'Listing'>;
export type NetworkState = ObjectOf<'NetworkState'>;
export type PendingEvent = ObjectOf<'PendingEvent'>;
export type Program = ObjectOf<'Program'>;
export type RankingRow = ObjectOf<'RankingRow'>;
export type RecoveryKeySet = ObjectOf<'RecoveryKeySet'>;
export type ObjectionResult = ObjectOf<'ObjectionResult'>;
export type RegistrationResult = ObjectOf<'RegistrationResult'>;
export type ReplayJob = ObjectOf<'ReplayJob'>;
export type ReplayReported = ObjectOf<'ReplayReported'>;
export type ReplaySubmitted = ObjectOf<'ReplaySubmitted'>;
export type ReputationRecord = ObjectOf<'ReputationRecord'>;
export type ReputationSummary = ObjectOf<'ReputationSummary'>;
export type PosterRecord = ObjectOf<'PosterRecord'>;
export type Route = ObjectOf<'Route'>;
export type RouterAvailability = ObjectOf<'RouterAvailability'>;
export type RouterRegistered = ObjectOf<'RouterRegistered'>;
export type RouterStats = ObjectOf<'RouterStats'>;
export type RouterUnregistered = ObjectOf<'RouterUnregistered'>;
export type ServiceUnlisted = ObjectOf<'ServiceUnlisted'>;
export type StakeInfo = ObjectOf<'StakeInfo'>;
export type StakeResult = ObjectOf<'StakeResult'>;
export type Status = ObjectOf<'Status'>;
export type Task = ObjectOf<'Task'>;
export type TaskResult = ObjectOf<'TaskResult'>;
export type TaskStats = ObjectOf<'TaskStats'>;
export type TrajectoryCommit = ObjectOf<'TrajectoryCommit'>;
export type TrajectoryCommitted = ObjectOf<'TrajectoryCommitted'>;
export type TransferResult = ObjectOf<'TransferResult'>;
export type Validator = ObjectOf<'Validator'>;
export type VerificationResult = ObjectOf<'VerificationResult'>;
export type VerifyResult = ObjectOf<'VerifyResult'>;
export type VoteCommitted = ObjectOf<'VoteCommitted'>;
export type Voting = ObjectOf<'Voting'>;
export type VoteCommitment = ObjectOf<'VoteCommitment'>;
export type Vertex = ObjectOf<'Vertex'>;
export type Voter = ObjectOf<'Voter'>;
export type Votes = ObjectOf<'Votes'>;
