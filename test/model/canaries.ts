// Canaries: committed before, revealed after, scored (protocol 7.4, 7.7).

import * as abi from '../../assembly/abi.ts';
import type { Command } from './command.ts';
import { shaHex } from './hashing.ts';
import { countCanary } from './judging.ts';
import { refuse, type Verdict } from './refusal.ts';
import { isKept } from './retention.ts';
import * as rules from './rules.ts';
import type { ModelAgent, ModelState } from './state.ts';

const CANARIES = 15;
const big = (n: number): bigint => BigInt(n);

export function commitmentOf(taskId: string, type: number, truth: boolean, salt: string): string {
  return shaHex(`canary:${taskId}:${type}:${truth ? 1 : 0}:${salt}`);
}

export function commitCanary(s: ModelState, c: Command, actor: ModelAgent): Verdict {
  const v = s.validatorOf(actor);
  const inOffice = v?.status === abi.VALIDATOR_ACTIVE && v.seat !== abi.NO_SEAT;
  if (!inOffice) return refuse(abi.NOT_A_VALIDATOR);
  const allowed = s.param(abi.PARAM_CANARY_RATE_BP) * s.assuredSubmissions;
  if (s.canariesCommitted * 10_000 >= allowed) return refuse(abi.TASK_STATE);
  if (s.canaries.some((x) => x.commitment === c.other)) return refuse(abi.TASK_STATE);
  return () => {
    const place = s.canariesCommitted++ % s.capacity(CANARIES);
    s.canaries = s.canaries.filter((x) => x.place !== place);
    s.canaries.push({ place, commitment: c.other, validator: v, at: s.now });
    return [big(actor.index)];
  };
}

export function revealCanary(s: ModelState, c: Command, actor: ModelAgent): Verdict {
  const commitment = commitmentOf(c.taskId, c.canaryType, c.verdict, c.salt);
  const canary = s.canaries.find((x) => x.commitment === commitment);
  const task = s.tasks.find((t) => t.id === c.taskId);
  if (!task || !canary || canary.validator.agent !== actor) return refuse(abi.TASK_NOT_FOUND);
  if (!isKept(s, task) || canary.at >= task.submitted) return refuse(abi.TASK_STATE);
  if ((task.flags & abi.TASK_CANARY) !== 0) return refuse(abi.TASK_STATE);
  return () => {
    task.flags |= abi.TASK_CANARY;
    s.canaries = s.canaries.filter((x) => x !== canary);
    const scored = task.panel.flatMap((v) => task.panelVotes.filter((x) => x.validator === v));
    const others = scored.filter((x) => x.validator !== canary.validator);
    for (const { validator, approve } of others) {
      const partly = c.canaryType === abi.CANARY_EDGE_CASE ? 1 : 0;
      countCanary(s, validator, task.category, approve === c.verdict ? 2 : partly);
    }
    const amount = rules.min(task.baseFee + task.assurancePaid, s.pools[abi.POOL_CANARY]!);
    s.pools[abi.POOL_CANARY]! -= amount;
    task.poster.balance += amount;
    return [big(actor.index), big(others.length), amount];
  };
}

/** 6.11: the whole free balance goes back to the pool of grants. */
export function giveBack(s: ModelState, actor: ModelAgent): Verdict {
  if (actor.balance === 0n) return refuse(abi.INSUFFICIENT_BALANCE, 0n, 1n);
  return () => {
    const amount = actor.balance;
    actor.balance = 0n;
    s.pools[abi.POOL_ECOSYSTEM]! += amount;
    return [BigInt(actor.index), amount];
  };
}
