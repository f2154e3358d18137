// Decodes the events about replays and challenges that the core emits by itself (assembly/abi.ts).

import * as abi from '../../assembly/abi.ts';
import { u64At } from '../wire/bytes.ts';

interface CaseEventBase {
  kind: 'event';
  id: Uint8Array;
  seq: number;
  order: number;
  index: number;
}
interface ReplayEvent extends CaseEventBase {
  job: Uint8Array;
  /** 16 bytes. */
  task: Uint8Array;
  /** Validator index. */
  executor: number;
}
/** Emitted for each further attempt, too. */
export interface ReplayCreatedEvent extends ReplayEvent {
  type: 'replay_created';
  reason: number;
  attempt: number;
  reward: number;
  deadline: number;
}
export interface ReplayClosedEvent extends ReplayEvent {
  type: 'replay_closed';
  status: number;
  outcome: number;
  action: number;
  severityBp: number;
  mismatches: number;
  paid: number;
  returned: number;
}
interface ChallengeEvent extends CaseEventBase {
  /** 12 bytes. */
  challenge: Uint8Array;
  task: Uint8Array;
  /** Validator index. */
  target: number;
  offense: number;
  /** Agent index. */
  challenger: number;
}
export interface ChallengeOpenedEvent extends ChallengeEvent {
  type: 'challenge_opened';
  bond: number;
  deadline: number;
}
export interface ChallengeResolvedEvent extends ChallengeEvent {
  type: 'challenge_resolved';
  status: number;
  refunded: number;
  forfeit: number;
  slash: number;
  bounty: number;
}
export type CaseEvent =
  | ReplayCreatedEvent
  | ReplayClosedEvent
  | ChallengeOpenedEvent
  | ChallengeResolvedEvent;

/** The event at `at`, or undefined for a type not listed here. `base`: the members that every event has. */
export function readCaseEvent(
  type: number,
  at: number,
  bytes: Uint8Array,
  view: DataView,
  base: CaseEventBase,
): CaseEvent | undefined {
  const u64 = (field: number): number => u64At(view, at + field);
  const u32 = (field: number): number => view.getUint32(at + field, true);
  const raw = (field: number, length: number): Uint8Array => bytes.slice(at + field, at + field + length);
  const replay = () => ({ ...base, job: raw(64, 32), task: raw(96, 16), executor: u32(112) });
  const challenge = () => ({
    ...base,
    challenge: raw(64, 12),
    task: raw(80, 16),
    target: u32(96),
    offense: u32(100),
    challenger: u32(104),
  });
  switch (type) {
    case abi.EVENT_REPLAY_CREATED: {
      const terms = { reason: u32(116), attempt: u32(120), reward: u64(128), deadline: u64(136) };
      return { ...replay(), type: 'replay_created', ...terms };
    }
    case abi.EVENT_REPLAY_CLOSED:
      return {
        ...replay(),
        type: 'replay_closed',
        status: u32(116),
        outcome: u32(120),
        action: u32(124),
        severityBp: u32(128),
        mismatches: u32(132),
        paid: u64(136),
        returned: u64(144),
      };
    case abi.EVENT_CHALLENGE_OPENED:
      return { ...challenge(), type: 'challenge_opened', bond: u64(112), deadline: u64(120) };
    case abi.EVENT_CHALLENGE_RESOLVED:
      return {
        ...challenge(),
        type: 'challenge_resolved',
        status: u32(108),
        refunded: u64(112),
        forfeit: u64(120),
        slash: u64(128),
        bounty: u64(136),
      };
    default:
      return undefined;
  }
}
