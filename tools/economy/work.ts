// The market of the simulation: tasks are posted, claimed, done well or badly, judged by panels, sometimes disputed.

import * as abi from '../../assembly/abi.ts';
import { verify } from '../../host/core/commands.ts';
import type { TxOutcome } from '../../host/core/outcomes.ts';
import { type TaskTerms, taskCreate, taskStep, taskSubmit } from '../../host/core/task-commands.ts';
import { toHex } from '../../host/wire/bytes.ts';
import { labelOf } from '../../host/wire/category.ts';
import type { Judge } from './cast.ts';
import type { Economy, Work } from './economy.ts';
import { DAY, LAUNCH, taskIdOf } from './world.ts';

const TOKEN = 1_000_000;
const CATEGORIES = ['code', 'data', 'analysis', 'content', 'creative'];
const ASSURED_BP = 7500;
const ELIGIBLE_BP = 5000;
/** Bad work that the score of protocol 6.14 accepts, since its form is sound. */
const DECEIVES_BP = 7000;
const POSTER_APPROVES_BP = 2000;
const POSTER_DISPUTES_BP = 1500;

function laneFor(economy: Economy): number {
  if (!economy.chance(ASSURED_BP)) return abi.LANE_NONE;
  const kind = economy.random.below(100);
  if (kind < 85) return abi.LANE_STANDARD;
  return kind < 97 ? abi.LANE_HIGH : abi.LANE_ENTERPRISE;
}

function terms(economy: Economy): TaskTerms {
  const category = economy.random.pick(CATEGORIES);
  const eligible = economy.chance(ELIGIBLE_BP) ? abi.TASK_GENERATION_ELIGIBLE : 0;
  return {
    budget: economy.random.between(25, 400) * TOKEN,
    flags: abi.TASK_DOWNGRADE_ALLOWED | eligible,
    lane: laneFor(economy),
    reviewSecs: 0,
    deliverySecs: 0,
    fuel: 0,
    noQuorum: abi.NO_QUORUM_SPLIT,
    category,
    categoryLabel: labelOf(category),
    tagLabels: [],
  };
}

/** A judge's verdict on a piece of work; the same judge may err either way. */
function verdictOf(economy: Economy, judge: Judge, work: Work): boolean {
  const { character } = judge;
  if (work.isGood) return !economy.chance(character.rejectsGood);
  return economy.chance(work.worker.isRing ? character.approvesRing : character.approvesBad);
}

function vote(economy: Economy, work: Work, eventId: Uint8Array, validator: number, maxSecs: number): void {
  const judge = economy.judgeOf.get(validator);
  if (!judge || economy.chance(judge.character.misses)) return;
  economy.later(5, maxSecs, () => {
    const verdict = verdictOf(economy, judge, work);
    economy.world.send(
      judge.key,
      (head) => verify(head, eventId, verdict, undefined, abi.GROUND_NONE, 0),
      ({ code }) => {
        if (code === abi.OK) work.votes.set(validator, verdict);
      },
    );
  });
}

function submit(economy: Economy, work: Work): void {
  const passes = work.isGood || economy.chance(DECEIVES_BP);
  const flags = abi.SUBMIT_SCORED | abi.SUBMIT_HAS_CONTENT | abi.SUBMIT_FACTS_HOLD;
  const score = passes ? economy.random.between(7500, 10_000) : economy.random.between(1000, 5000);
  economy.world.send(
    work.worker.key,
    (head) => taskSubmit(head, work.task, flags, score),
    ({ code }) => {
      if (code !== abi.OK) return;
      if (work.isGood && economy.chance(POSTER_APPROVES_BP)) decide(economy, work, abi.OP_TASK_APPROVE);
      if (!work.isGood && economy.chance(POSTER_DISPUTES_BP)) decide(economy, work, abi.OP_TASK_DISPUTE);
    },
  );
}

function decide(economy: Economy, work: Work, opcode: number): void {
  economy.later(100, 290, () => {
    economy.world.send(work.poster.key, (head) => taskStep(opcode, head, work.task));
  });
}

function claim(economy: Economy, work: Work): void {
  economy.world.send(
    work.worker.key,
    (head) => taskStep(abi.OP_TASK_CLAIM, head, work.task),
    ({ code }) => {
      // One in a hundred never delivers: the claim expires, and the task is withdrawn in the end.
      if (code === abi.OK && !economy.chance(100)) economy.later(60, 500, () => submit(economy, work));
    },
  );
}

function post(economy: Economy): void {
  const poster = economy.random.pick(economy.traders);
  const worker = economy.random.pick(economy.traders);
  if (poster === worker) return;
  const wanted = terms(economy);
  let task: Uint8Array;
  const onPosted = ({ code }: TxOutcome): void => {
    if (code !== abi.OK) return;
    const isGood = !economy.chance(worker.badWork);
    const work: Work = {
      id: toHex(task),
      task,
      poster,
      worker,
      isGood,
      votes: new Map(),
      isCompleted: false,
    };
    economy.works.set(work.id, work);
    economy.later(30, 600, () => claim(economy, work));
  };
  task = taskIdOf(economy.world.send(poster.key, (head) => taskCreate(head, wanted), onPosted));
}

/** Schedules the tasks of the whole run, spread evenly, and lets the judges give verdicts on pending events. */
export function openMarket(economy: Economy, tasks: number, days: number): void {
  const first = LAUNCH + 21 * DAY;
  const span = (days - 21) * DAY;
  for (let i = 0; i < tasks; i++) {
    economy.world.at(first + Math.floor((span * i) / tasks), () => post(economy));
  }
  const asked = new Set<string>();
  economy.listen((outcome) => {
    if (outcome.kind !== 'task') return;
    const { image } = outcome;
    const work = economy.workOf(image.id);
    if (!work) return;
    if (image.status === abi.TASK_COMPLETED) work.isCompleted = true;
    const isPanel = image.status === abi.TASK_SUBMITTED && image.panel.length > 0;
    if (isPanel && !asked.has(work.id)) {
      asked.add(work.id);
      for (const validator of image.panel) vote(economy, work, image.submissionEvent!, validator, 280);
    }
    if (image.status === abi.TASK_DISPUTED && !asked.has(`${work.id}:dispute`)) {
      asked.add(`${work.id}:dispute`);
      for (const validator of economy.judgeOf.keys()) {
        if (economy.hasStatus(validator, abi.VALIDATOR_ACTIVE))
          vote(economy, work, image.disputeEvent!, validator, 3500);
      }
    }
    if (outcome.isFinal) forget(economy, work, asked);
  });
}

function forget(economy: Economy, work: Work, asked: Set<string>): void {
  economy.works.delete(work.id);
  asked.delete(work.id);
  asked.delete(`${work.id}:dispute`);
}
