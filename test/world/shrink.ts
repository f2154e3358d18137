// Makes a failing plan smaller while it still fails: fewer faults, fewer deviating seats, fewer agents, a shorter run.

import type { Plan } from './plan.ts';

/** Plans that are a little smaller than this one, the most promising first. */
function* smaller(plan: Plan): Generator<Plan> {
  for (const at of plan.faults.keys()) yield { ...plan, faults: plan.faults.filter((_, i) => i !== at) };
  for (const at of plan.deviants.keys())
    yield { ...plan, deviants: plan.deviants.filter((_, i) => i !== at) };
  for (const [at, { name, isObserver }] of plan.latecomers.entries()) {
    const latecomers = plan.latecomers.filter((_, i) => i !== at);
    // A seat is there from the beginning then; an observer is not there at all.
    const faults = isObserver ? plan.faults.filter(({ on }) => !on.includes(name)) : plan.faults;
    yield { ...plan, latecomers, faults };
  }
  if (plan.strangers > 0) yield { ...plan, strangers: 0 };
  if (plan.agents > 1) yield { ...plan, agents: Math.ceil(plan.agents / 2) };
  if (plan.healMs > 10_000) {
    const healMs = Math.max(10_000, Math.floor(plan.healMs * 0.7));
    yield { ...plan, healMs, faults: plan.faults.filter(({ atMs }) => atMs < healMs) };
  }
}

/** `fails`: runs a plan; true when something does not hold. At most `maxRuns` runs. */
export async function shrink(
  plan: Plan,
  fails: (plan: Plan) => Promise<boolean>,
  maxRuns = 60,
): Promise<Plan> {
  let best = plan;
  let runs = 0;
  for (let isBetter = true; isBetter && runs < maxRuns; ) {
    isBetter = false;
    for (const candidate of smaller(best)) {
      if (runs++ >= maxRuns) break;
      if (!(await fails(candidate))) continue;
      best = candidate;
      isBetter = true;
      break;
    }
  }
  return best;
}
