// Verdicts on the model: votes in one step, and on disputes committed and revealed; refusals before effects.
// Sources: protocol 4.3, 6.9, 15.8.

import * as abi from '../../assembly/abi.ts';
import type { Command } from './command.ts';
import * as figures from './figures.ts';
import { countLate, lateOf } from './judging.ts';
import { type Refusal, refuse, type Verdict } from './refusal.ts';
import { close } from './settle.ts';
import type { ModelAgent, ModelItem, ModelState, ModelValidator } from './state.ts';
import { applyPanelVote, applyReveal } from './task-ends.ts';
import { COMMITTED_ROWS, commit, commitmentOf, hasCommitted, reveal } from './voting.ts';

const VOTES = 2;
const ZERO = '0'.repeat(64);
const big = (n: number): bigint => BigInt(n);

const shareOf = (c: Command): number => (c.verdict ? c.share || 10 : 0);

function statusOf(reason: number): number {
  if (reason === abi.SETTLED_NONE) return abi.VOTE_PENDING;
  return reason === abi.SETTLED_VERIFIED ? abi.VOTE_SETTLED : abi.VOTE_ADJUSTED;
}

function vote(s: ModelState, c: Command, actor: ModelAgent, item: ModelItem, v: ModelValidator): bigint[] {
  const isGeneration = item.kind === abi.ITEM_GENERATION;
  const isDispute = item.kind === abi.ITEM_DISPUTE;
  const value = !c.verdict ? 0n : (c.value ?? (isGeneration ? item.amount : 0n));
  const share = shareOf(c);
  if (isDispute) reveal(s, item, v, c, share);
  else item.votes.push({ validator: v, approve: c.verdict, share, value, ground: c.ground, at: s.now });
  v.lastDuty = s.now;
  const t = figures.tally(s, item, s.now);
  const weight = t.weights[item.votes.findIndex((x) => x.validator === v)]!;
  let reason = isDispute ? abi.SETTLED_NONE : figures.decision(t);
  let status = statusOf(reason);
  const verified = reason === abi.SETTLED_VERIFIED && isGeneration ? t.lowest : 0n;
  if (isDispute) [status, reason] = applyReveal(s, item);
  else if (item.task) applyPanelVote(s, item, v, c.verdict, reason);
  else if (reason !== abi.SETTLED_NONE) close(s, item, reason);
  const words = [big(actor.index), big(v.index), big(status), big(reason)];
  words.push(t.approve, t.reject, t.total, big(t.participants), verified, weight);
  return [...words, c.verdict ? 1n : 0n];
}

/** 6.9: a vote that comes after the decision, and counts for probation alone. */
function verifyLate(
  s: ModelState,
  c: Command,
  actor: ModelAgent,
  v: ModelValidator | undefined,
  now: number,
): Verdict {
  const late = v && lateOf(s, c.other, v, now);
  if (!late) return refuse(abi.NOT_PENDING);
  return () => {
    countLate(s, late, v, shareOf(c));
    v.lastDuty = now;
    const end =
      late.share > 0 ? [abi.VOTE_SETTLED, abi.SETTLED_VERIFIED] : [abi.VOTE_ADJUSTED, abi.SETTLED_REJECTED];
    return [actor.index, v.index, ...end, 0, 0, 0, 0, 0, 0, c.verdict ? 1 : 0].map(big);
  };
}

/** The validator that a command speaks for. */
function voterOf(s: ModelState, c: Command, actor: ModelAgent): ModelValidator | undefined {
  const own = s.validatorOf(actor);
  return own ?? (c.auth === abi.AUTH_UNSIGNED ? s.seats.get(c.seat)?.validator : undefined);
}

/** Who may not speak about an item, whatever it says. */
function refuseVoter(item: ModelItem, actor: ModelAgent, v: ModelValidator | undefined): Refusal | undefined {
  const isParty =
    figures.isParty(item, actor) || (v && (figures.isParty(item, v.agent) || figures.isBarred(item, v)));
  if (isParty) return refuse(abi.SELF_DEALING);
  const inOffice = [abi.VALIDATOR_ACTIVE, abi.VALIDATOR_PROBATION] as number[];
  if (!v || !inOffice.includes(v.status)) return refuse(abi.NOT_A_VALIDATOR);
  const isKnown = item.kind === abi.ITEM_DISPUTE && hasCommitted(item, v);
  return !isKnown && figures.isKeptOut(item, v) ? refuse(abi.NOT_ASSIGNED) : undefined;
}

function refuseReveal(item: ModelItem, c: Command, v: ModelValidator): Refusal | undefined {
  const own = item.commitments.find((x) => x.validator === v);
  if (!own) return refuse(hasCommitted(item, v) ? abi.ALREADY_VOTED : abi.NOT_COMMITTED);
  if (!item.isRevealing) return refuse(abi.REVEAL_EARLY, big(item.deadline));
  const isSame = commitmentOf(item.eventId, v.agent.key, c) === own.hash;
  return isSame ? undefined : refuse(abi.COMMITMENT_DIFFERS);
}

const hasVotesFor = (s: ModelState, rows: number): boolean => s.voteCount() + rows <= s.capacity(VOTES);

/** 15.8: a vote on a dispute, before it is revealed. */
export function commitToVote(s: ModelState, c: Command, actor: ModelAgent): Verdict {
  const item = s.items.find((i) => i.eventId === c.other);
  if (!item || item.isClosed) return refuse(abi.NOT_PENDING);
  if (item.kind !== abi.ITEM_DISPUTE) return refuse(abi.INVALID_REQUEST, big(abi.REASON_COMMITMENT));
  const v = voterOf(s, c, actor);
  const refused = refuseVoter(item, actor, v);
  if (refused) return refused;
  if (hasCommitted(item, v!)) return refuse(abi.ALREADY_VOTED);
  if (item.isRevealing) return refuse(abi.COMMITMENTS_OVER, big(item.deadline));
  if (!hasVotesFor(s, COMMITTED_ROWS)) return refuse(abi.CAPACITY, big(abi.TABLE_VOTES));
  return () => [actor.index, ...commit(s, item, v!, c.commitment).slice(1)].map(big);
}

export function verify(s: ModelState, c: Command, actor: ModelAgent, now: number): Verdict {
  const item = s.items.find((i) => i.eventId === c.other);
  const validator = voterOf(s, c, actor);
  if (!item) return verifyLate(s, c, actor, validator, now);
  if (item.isClosed) return refuse(abi.NOT_PENDING);
  if (c.value !== undefined && !item.task) {
    if (c.value > item.amount) return refuse(abi.INVALID_REQUEST, big(abi.REASON_VALUE_ABOVE_CLAIM));
    if (c.verdict && item.kind === abi.ITEM_GENERATION && c.value === 0n) {
      return refuse(abi.INVALID_REQUEST, big(abi.REASON_VALUE_ZERO));
    }
  }
  const isDispute = item.kind === abi.ITEM_DISPUTE;
  if (c.ground !== abi.GROUND_NONE && !isDispute) return refuse(abi.INVALID_REQUEST, big(abi.REASON_GROUND));
  if (c.share !== 0 && !isDispute) return refuse(abi.INVALID_REQUEST, big(abi.REASON_SHARE));
  if (c.salt !== ZERO && !isDispute) return refuse(abi.INVALID_REQUEST, big(abi.REASON_COMMITMENT));
  const refused = refuseVoter(item, actor, validator);
  if (refused) return refused;
  if (isDispute) return refuseReveal(item, c, validator!) ?? (() => vote(s, c, actor, item, validator!));
  if (item.votes.some((v) => v.validator === validator)) return refuse(abi.ALREADY_VOTED);
  if (!hasVotesFor(s, 1)) return refuse(abi.CAPACITY, big(abi.TABLE_VOTES));
  return () => vote(s, c, actor, item, validator!);
}
