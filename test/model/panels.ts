// Who judges a contested dispute: panels of announced judges, or all validators (protocol 15.8).

import * as abi from '../../assembly/abi.ts';
import type { Command } from './command.ts';
import { coverOf, drawNames, drawPanel, eligible } from './draw.ts';
import * as figures from './figures.ts';
import { countMiss } from './judging.ts';
import { refuse, type Verdict } from './refusal.ts';
import * as rules from './rules.ts';
import type { ModelAgent, ModelItem, ModelState, ModelValidator } from './state.ts';
import type { ModelTask } from './task-state.ts';
import { validatorNamed } from './validator-life.ts';
import { hasCommitted } from './voting.ts';

export function announce(s: ModelState, c: Command, actor: ModelAgent): Verdict {
  const v = validatorNamed(s, c.target, actor);
  if (!v) return refuse(abi.VALIDATOR_NOT_FOUND);
  if (v.agent !== actor) return refuse(abi.FORBIDDEN_ACTOR);
  const mayAnnounce = !c.verdict || v.status === abi.VALIDATOR_ACTIVE;
  if (v.isJudge === c.verdict || !mayAnnounce) return refuse(abi.TASK_STATE);
  return () => {
    v.isJudge = c.verdict;
    return [BigInt(actor.index), BigInt(v.index)];
  };
}

const isOut = (item: ModelItem, v: ModelValidator): boolean =>
  figures.isParty(item, v.agent) || figures.isBarred(item, v);

const isLive = (v: ModelValidator): boolean => v.isJudge && v.status === abi.VALIDATOR_ACTIVE;

const sizeOf = (task: ModelTask): number => (task.budget < 10n * rules.TOKEN ? 1 : 5);

/** 15.8: at least three that can be drawn, with a fifth of the held weight and half of what the announced ones hold. */
function areEnough(s: ModelState, item: ModelItem, task: ModelTask): boolean {
  const isKeptOut = (v: ModelValidator): boolean => !isLive(v) || isOut(item, v);
  const drawable = eligible(s, task.category, isKeptOut, coverOf(task));
  const least = figures.leastTotal(s, s.now, s.validators.filter(isLive));
  return drawable.length >= 3 && figures.heldBy(s, drawable, s.now) >= least;
}

/** The dispute is contested. */
export function seatJudges(s: ModelState, task: ModelTask, item: ModelItem): void {
  if (!areEnough(s, item, task)) {
    const names = drawNames(s, item.eventId, task.category, (v) => isOut(item, v), 3);
    item.assigned = names.map((v) => v.index);
    return;
  }
  const isKeptOut = (v: ModelValidator): boolean => !isLive(v) || isOut(item, v);
  const drawn = drawPanel(s, item.eventId, task.category, isKeptOut, sizeOf(task), coverOf(task));
  Object.assign(item, { panel: 'seats', assigned: drawn.map((v) => v.index) });
  task.panels = 1;
}

const isAwaited = (item: ModelItem, v: ModelValidator): boolean =>
  item.panel === 'seats' ? item.assigned.includes(v.index) : figures.counts(item, v);

/** The judge of a validator is withdrawn, and its accuracy in the category suffers. */
export function missJudging(s: ModelState, v: ModelValidator, category: number): void {
  v.isJudge = false;
  countMiss(s, v, category);
}

/** Who neither committed nor voted, of those who were to. */
export function silentOf(s: ModelState, item: ModelItem): ModelValidator[] {
  if (item.panel === 'none') return [];
  return s.validators.filter((v) => isAwaited(item, v) && !hasCommitted(item, v));
}
