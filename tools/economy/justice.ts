// How judges are held to account in the simulation: replays, challenges by posters and by an auditor, votes on them.

import * as abi from '../../assembly/abi.ts';
import { challengeOpen, challengeVote, replaySubmit } from '../../host/core/case-commands.ts';
import { toHex } from '../../host/wire/bytes.ts';
import type { Economy, Work } from './economy.ts';
import { challengeIdOf, DAY, LAUNCH } from './world.ts';

const HOUR = 3600;
const CHECKS = 5;
/** Shares of posters that notice bad work, and that complain about good work; of executors that forget a replay. */
const NOTICES_BP = 2500;
const COMPLAINS_BP = 5;
const FORGETS_REPLAY_BP = 200;

interface Case {
  id: Uint8Array;
  task: Uint8Array;
  target: number;
  offense: number;
}

export class Justice {
  readonly #economy: Economy;
  readonly #auditor: Uint8Array;
  /** Executors by job id whose report was not what a real execution would have given. */
  readonly #falseReports = new Map<string, number>();
  readonly #audited = new Set<string>();
  /** Pairs of validators that approved bad work together. */
  readonly #pairs = new Set<string>();

  constructor(economy: Economy, days: number) {
    this.#economy = economy;
    this.#auditor = economy.traders[0]!.key;
    economy.listen((outcome) => {
      if (outcome.kind === 'task' && outcome.image.status === abi.TASK_COMPLETED) {
        const work = economy.workOf(outcome.image.id);
        if (work && !work.isCompleted && outcome.image.lane !== abi.LANE_NONE) this.#watch(work);
      }
      if (outcome.kind !== 'event') return;
      if (outcome.type === 'replay_created') this.#replay(outcome.job, outcome.task, outcome.executor);
      if (outcome.type === 'challenge_opened') this.#hear({ ...outcome, id: outcome.challenge });
    });
    for (let day = 1; day <= days; day++) economy.world.at(LAUNCH + day * DAY, () => this.#audit());
  }

  // The poster of a completed task has a week to challenge a validator that approved it.
  #watch(work: Work): void {
    const economy = this.#economy;
    const bp = work.isGood ? COMPLAINS_BP : NOTICES_BP;
    if (!economy.chance(bp)) return;
    economy.later(HOUR, 2 * DAY, () => {
      const approvers = [...work.votes].filter(([, verdict]) => verdict).map(([validator]) => validator);
      if (approvers.length === 0) return;
      const target = economy.random.pick(approvers);
      this.#challenge(work.poster.key, work.task, target, abi.OFFENSE_FRAUDULENT_APPROVAL);
    });
  }

  #challenge(challenger: Uint8Array, task: Uint8Array, target: number, offense: number): void {
    const economy = this.#economy;
    const judge = economy.judgeOf.get(target);
    if (!judge) return;
    const id = economy.world.send(
      challenger,
      (head) => challengeOpen(head, { task, target: toHex(judge.key), offense, bond: undefined }),
      ({ code }) => {
        if (code === abi.OK) this.#hear({ id: challengeIdOf(id), task, target, offense });
      },
    );
  }

  // Everyone who may vote has some hours to examine the evidence.
  #hear(heard: Case): void {
    const economy = this.#economy;
    for (const [validator, judge] of economy.judgeOf) {
      if (judge.character.onChallenges === 'silent' || !economy.hasStatus(validator, abi.VALIDATOR_ACTIVE))
        continue;
      economy.later(HOUR, 40 * HOUR, () => {
        const outcome =
          judge.character.onChallenges === 'evidence' && this.#isGuilty(heard)
            ? abi.CHALLENGE_SUCCEEDED
            : abi.CHALLENGE_FAILED;
        economy.world.send(judge.key, (head) => challengeVote(head, heard.id, outcome));
      });
    }
  }

  #isGuilty({ task, target, offense }: Case): boolean {
    const work = this.#economy.workOf(task);
    if (!work) return false;
    if (offense === abi.OFFENSE_DISHONEST_REPLAY) return this.#falseReports.get(work.id) === target;
    return !work.isGood && work.votes.get(target) === true;
  }

  #replay(job: Uint8Array, task: Uint8Array, executor: number): void {
    const economy = this.#economy;
    const judge = economy.judgeOf.get(executor);
    const work = economy.workOf(task);
    if (!judge || !work || economy.chance(FORGETS_REPLAY_BP)) return;
    economy.later(300, 7000, () => {
      const differs = judge.character.replaysHonestly && !work.isGood;
      const compared = Array.from({ length: CHECKS }, (_, i) =>
        differs && i < 4 ? abi.COMPARED_DIFFERS : abi.COMPARED_EQUAL,
      );
      economy.world.send(
        judge.key,
        (head) => replaySubmit(head, job, undefined, Uint8Array.from(compared)),
        ({ code }) => {
          if (code === abi.OK && !differs && !work.isGood) this.#falseReports.set(work.id, executor);
        },
      );
    });
  }

  // Once a day an auditor examines work that turned out to be bad: whoever approved it together with the same others as
  // before, or with one of its cluster, colludes; whoever hid it in a replay report was dishonest.
  #audit(): void {
    const economy = this.#economy;
    for (const work of economy.works.values()) {
      if (!work.isCompleted || work.isGood || this.#audited.has(work.id) || !economy.chance(NOTICES_BP))
        continue;
      this.#audited.add(work.id);
      const approvers = [...work.votes].filter(([, verdict]) => verdict).map(([validator]) => validator);
      for (const target of approvers) {
        if (approvers.some((other) => other !== target && this.#isAccomplice(target, other)))
          this.#challenge(this.#auditor, work.task, target, abi.OFFENSE_COLLUSION);
      }
      this.#notePairs(approvers);
      const liar = this.#falseReports.get(work.id);
      if (liar !== undefined) this.#challenge(this.#auditor, work.task, liar, abi.OFFENSE_DISHONEST_REPLAY);
    }
  }

  #isAccomplice(a: number, b: number): boolean {
    if (this.#pairs.has(pairOf(a, b))) return true;
    const cluster = this.#economy.world.state.validator(a)?.cluster;
    return cluster !== undefined && cluster === this.#economy.world.state.validator(b)?.cluster;
  }

  #notePairs(approvers: readonly number[]): void {
    for (const a of approvers) for (const b of approvers) if (a < b) this.#pairs.add(pairOf(a, b));
  }
}

const pairOf = (a: number, b: number): string => `${Math.min(a, b)}:${Math.max(a, b)}`;
