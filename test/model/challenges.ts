// Challenges: opened, voted on, resolved (protocol 4.7, 6.5, 6.6, 7.5).

import * as abi from '../../assembly/abi.ts';
import type { ModelChallenge } from './case-state.ts';
import type { Command } from './command.ts';
import { emit } from './events.ts';
import * as figures from './figures.ts';
import { denyTask, recognizeTask } from './generation.ts';
import { shaHex } from './hashing.ts';
import { agrees, inOneCluster, turnIntoMiss } from './judging.ts';
import { refuse, type Verdict } from './refusal.ts';
import { retainedUntil } from './retention.ts';
import * as rules from './rules.ts';
import type { ModelAgent, ModelState, ModelValidator } from './state.ts';
import type { ModelTask } from './task-state.ts';
import { punish, validatorNamed } from './validator-life.ts';

const [VOTES, CHALLENGES] = [2, 12];
const OUTCOMES = [abi.CHALLENGE_SUCCEEDED, abi.CHALLENGE_FAILED, abi.CHALLENGE_PARTIAL] as number[];
const big = (n: number): bigint => BigInt(n);

/** Validators that voted for completion, each once: of the panel by place, then in the dispute by time. */
export function verifiersOf(task: ModelTask): ModelValidator[] {
  const onPanel = task.panel.filter((v) => task.panelVotes.some((x) => x.validator === v && x.approve));
  const inDispute = task.judges.filter((j) => j.approve).map((j) => j.validator);
  return [...new Set([...onPanel, ...inDispute])];
}

function voted(s: ModelState, task: ModelTask, target: ModelValidator, offense: number): boolean {
  if (offense !== abi.OFFENSE_DISHONEST_REPLAY) return verifiersOf(task).includes(target);
  const job = s.jobs.find((j) => j.task === task);
  return job?.status === abi.JOB_COMPLETED && job.executors.at(-1) === target;
}

const isRepeated = (s: ModelState, task: ModelTask, target: ModelValidator, offense: number): boolean =>
  s.challenges.some(
    (c) =>
      c.task === task && c.target === target && c.offense === offense && c.status !== abi.CHALLENGE_PARTIAL,
  );

interface Opening {
  event: string;
  task: ModelTask;
  target: ModelValidator;
  offense: number;
  challenger: ModelAgent;
  bond: bigint;
  isProtocol: boolean;
}

function addChallenge(s: ModelState, opening: Opening): ModelChallenge {
  const challenge: ModelChallenge = {
    ...opening,
    id: shaHex(`challenge:${opening.event}`).slice(0, 24),
    status: abi.CHALLENGE_OPEN,
    created: s.now,
    deadline: s.now + s.param(abi.PARAM_CHALLENGE_TTL_SECS),
    votes: [],
    resolvedAt: 0,
    refunded: 0n,
    forfeit: 0n,
    slash: 0n,
    bounty: 0n,
    weights: [0n, 0n, 0n],
    total: 0n,
    participants: 0,
  };
  s.challenges.push(challenge);
  return challenge;
}

export function openChallenge(s: ModelState, c: Command, actor: ModelAgent, now: number): Verdict {
  const task = s.tasks.find((t) => t.id === c.taskId);
  if (!task) return refuse(abi.TASK_NOT_FOUND);
  const target = validatorNamed(s, c.target, actor);
  if (!target) return refuse(abi.VALIDATOR_NOT_FOUND);
  const isOpen = task.status === abi.TASK_COMPLETED && task.lane !== abi.LANE_NONE;
  if (!isOpen || now >= retainedUntil(s, task) || !voted(s, task, target, c.offense)) {
    return refuse(abi.NOT_CHALLENGEABLE);
  }
  if (target.agent === actor) return refuse(abi.SELF_DEALING);
  if (isRepeated(s, task, target, c.offense)) return refuse(abi.ALREADY_CHALLENGED);
  const least = rules.leastBond(task.budget);
  const bond = c.value ?? least;
  if (bond < least) return refuse(abi.BOND_BELOW_MINIMUM, least);
  if (actor.balance < bond) return refuse(abi.INSUFFICIENT_BALANCE, actor.balance, bond);
  if (s.challenges.length >= s.capacity(CHALLENGES!)) return refuse(abi.CAPACITY, big(abi.TABLE_CHALLENGES));
  return () => {
    actor.balance -= bond;
    const { offense, txid: event } = c;
    const opening = { event, task, target, offense, challenger: actor, bond, isProtocol: false };
    const challenge = addChallenge(s, opening);
    return [big(actor.index), big(target.index), bond, big(challenge.deadline)];
  };
}

/** A replay accuses all who voted for completion. */
export function openProtocolChallenges(s: ModelState, task: ModelTask, job: string, by: ModelAgent): void {
  const offense = abi.OFFENSE_FRAUDULENT_APPROVAL;
  for (const target of verifiersOf(task)) {
    if (isRepeated(s, task, target, offense)) continue;
    if (s.challenges.length >= s.capacity(CHALLENGES!)) return;
    const event = emit(s, abi.EVENT_CHALLENGE_OPENED, 'challenge_opened', job);
    const opening = { event: event.id, task, target, offense, challenger: by, bond: 0n, isProtocol: true };
    const { id, deadline } = addChallenge(s, opening);
    const about = { id, task: task.id, target: target.index, offense, challenger: by.index };
    event.challenge = { ...about, bond: 0n, deadline };
  }
}

const hasStakeIn = (c: ModelChallenge, agent: ModelAgent): boolean =>
  [c.target.agent, c.challenger, c.task.poster, c.task.claimer].includes(agent);

function isBarred(s: ModelState, c: ModelChallenge, v: ModelValidator): boolean {
  const isOut = (x: ModelValidator): boolean => hasStakeIn(c, x.agent) || inOneCluster(c.target, x);
  const left = s.validators.filter((x) => !isOut(x));
  const barsCluster = figures.heldBy(s, left, s.now) >= figures.leastTotal(s, s.now, s.validators);
  return hasStakeIn(c, v.agent) || c.target === v || (barsCluster && inOneCluster(c.target, v));
}

/** Weights for each outcome with present weights, and what decides. */
export function challengeTally(
  s: ModelState,
  c: ModelChallenge,
): { weights: bigint[]; total: bigint; participants: number; decided: number } {
  const judges = s.validators.filter((v) => v.status === abi.VALIDATOR_ACTIVE && !isBarred(s, c, v));
  const weightOf = (v: ModelValidator): bigint => figures.voteWeight(s, v, s.now, judges);
  const counted = c.votes.filter((vote) => judges.includes(vote.validator));
  const sum = (of: ModelValidator[]): bigint => of.reduce((total, v) => total + weightOf(v), 0n);
  const total = rules.max(sum(judges), figures.leastTotal(s, s.now, s.validators));
  const weights = OUTCOMES.map((o) => sum(counted.filter((x) => x.outcome === o).map((x) => x.validator)));
  const enough = counted.length >= s.param(abi.PARAM_MIN_PARTICIPANTS);
  const winner = weights.findIndex((weight) => rules.wins(weight, total));
  const decided = enough && winner >= 0 ? OUTCOMES[winner]! : abi.CHALLENGE_OPEN;
  return { weights, total, participants: counted.length, decided };
}

// The accused vote is no longer right, wherever it had been; once, whatever else is proven of it.
function revokeVote(s: ModelState, { task, target, ...c }: ModelChallenge): void {
  const isVote = (x: { offense: number }): boolean => x.offense !== abi.OFFENSE_DISHONEST_REPLAY;
  const proven = s.challenges.filter((x) => x.status === abi.CHALLENGE_SUCCEEDED && isVote(x));
  const again = proven.some((x) => x.id !== c.id && x.task === task && x.target === target);
  if (again || !isVote(c)) return;
  const onPanel = task.panelVotes.some((v) => v.validator === target && v.approve);
  if (onPanel && task.panelVerdict === abi.SETTLED_VERIFIED) turnIntoMiss(target, task.category);
  const inDispute = task.judges.some(
    (j) => j.validator === target && j.approve && agrees(j.share, task.share),
  );
  if (inDispute && task.resolution === abi.RESOLUTION_DISPUTE_QUORUM) turnIntoMiss(target, task.category);
}

function succeed(s: ModelState, c: ModelChallenge): void {
  const { target } = c;
  c.challenger.balance += c.bond;
  c.refunded = c.bond;
  c.slash = rules.offenseSlash(target.agent.staked, c.offense);
  c.bounty = c.slash / 2n;
  target.agent.staked -= c.slash;
  if (target.agent.staked === 0n) target.agent.stakedSince = 0;
  c.challenger.balance += c.bounty;
  s.pools[abi.POOL_DISPUTE]! += c.slash - c.bounty;
  revokeVote(s, c);
  denyTask(s, c.task);
}

function fail(s: ModelState, c: ModelChallenge): void {
  const toTarget = c.bond / 2n;
  c.forfeit = c.bond;
  c.target.agent.balance += toTarget;
  s.pools[abi.POOL_DISPUTE]! += c.bond - toTarget;
  const isProven = s.challenges.some((x) => x.task === c.task && x.status === abi.CHALLENGE_SUCCEEDED);
  if (c.isProtocol && !isProven && c.task.generation === abi.GENERATION_DENIED) recognizeTask(s, c.task);
}

function tellResolved(s: ModelState, c: ModelChallenge): void {
  const event = emit(s, abi.EVENT_CHALLENGE_RESOLVED, 'challenge_resolved', `chal-${c.id}`);
  event.challenge = {
    id: c.id,
    task: c.task.id,
    target: c.target.index,
    offense: c.offense,
    challenger: c.challenger.index,
    status: c.status,
    refunded: c.refunded,
    forfeit: c.forfeit,
    slash: c.slash,
    bounty: c.bounty,
  };
}

function resolve(s: ModelState, c: ModelChallenge, status: number): void {
  const { weights, total, participants } = challengeTally(s, c);
  Object.assign(c, { weights, total, participants, resolvedAt: s.now });
  c.status = status;
  c.votes = [];
  if (status === abi.CHALLENGE_SUCCEEDED) succeed(s, c);
  else if (status === abi.CHALLENGE_FAILED) fail(s, c);
  else {
    c.challenger.balance += c.bond;
    c.refunded = c.bond;
  }
  tellResolved(s, c);
  if (status !== abi.CHALLENGE_SUCCEEDED) return;
  if (c.slash > 0n) {
    const event = emit(s, abi.EVENT_SLASH, 'slash', c.target.agent.id);
    const cause = abi.SLASH_OFFENSE + c.offense;
    const { agent } = c.target;
    event.slash = { agent: agent.index, cause, amount: c.slash, remaining: agent.staked, challenge: c.id };
  }
  punish(s, c.target, c.offense);
}

/** The deadline: counted once more, else partial. */
export function expireChallenge(s: ModelState, c: ModelChallenge): void {
  const { decided } = challengeTally(s, c);
  resolve(s, c, decided === abi.CHALLENGE_OPEN ? abi.CHALLENGE_PARTIAL : decided);
}

export function voteOnChallenge(s: ModelState, c: Command, actor: ModelAgent): Verdict {
  const challenge = s.challenges.find((x) => x.id === c.challenge);
  if (!challenge) return refuse(abi.CHALLENGE_NOT_FOUND);
  if (challenge.status !== abi.CHALLENGE_OPEN) return refuse(abi.TASK_STATE);
  const v = s.validatorOf(actor);
  if (hasStakeIn(challenge, actor) || (v && isBarred(s, challenge, v))) return refuse(abi.SELF_DEALING);
  if (v?.status !== abi.VALIDATOR_ACTIVE) return refuse(abi.NOT_A_VALIDATOR);
  if (challenge.votes.some((x) => x.validator === v)) return refuse(abi.ALREADY_VOTED);
  if (s.voteCount() >= s.capacity(VOTES!)) return refuse(abi.CAPACITY, big(abi.TABLE_VOTES));
  return () => {
    challenge.votes.push({ validator: v, outcome: c.outcome, at: s.now });
    const t = challengeTally(s, challenge);
    if (t.decided !== abi.CHALLENGE_OPEN) resolve(s, challenge, t.decided);
    const { status, refunded, forfeit, slash, bounty } = challenge;
    const words = [big(actor.index), big(v.index), big(status), refunded, forfeit, slash, bounty];
    return [...words, ...t.weights, t.total, big(t.participants)];
  };
}
