// What operators do for their validators: apply, top up the stake, resume after a suspension.

import * as abi from '../../assembly/abi.ts';
import { stake } from '../../host/core/commands.ts';
import { validatorApply, validatorResume } from '../../host/core/validator-commands.ts';
import type { Judge } from './cast.ts';
import type { Economy } from './economy.ts';
import { DAY, LAUNCH } from './world.ts';

/** Assignment asks for 25,000 tokens (protocol 6.7); a little more survives small slashes. */
const WANTED = 30_000_000_000;
const MIN_TOP_UP = 100_000_000;

function topUp(economy: Economy, judge: Judge): void {
  const agent = economy.world.state.agent(economy.agentOf.get(judge)!)!;
  const missing = WANTED - agent.staked;
  const amount = Math.min(missing, agent.balance);
  if (amount >= MIN_TOP_UP) economy.world.send(judge.key, (head) => stake(head, amount));
}

function look(economy: Economy, judge: Judge): void {
  const index = economy.validatorOf.get(judge);
  if (index === undefined) return;
  const { status, suspendedUntil } = economy.world.state.validator(index)!;
  if (status === abi.VALIDATOR_EXCLUDED) return;
  topUp(economy, judge);
  if (status === abi.VALIDATOR_SUSPENDED && (suspendedUntil ?? 0) <= economy.world.now)
    economy.world.send(judge.key, (head) => validatorResume(head, ''));
}

function join(economy: Economy, judge: Judge): void {
  const { world } = economy;
  world.send(judge.key, (head) => stake(head, WANTED));
  world.send(
    judge.key,
    (head) => validatorApply(head, []),
    ({ code, words }) => {
      if (code === abi.OK) economy.enter(judge, words[1]!, words[0]!);
    },
  );
}

/** Applicants arrive over the first three weeks; every operator checks its validator once a day. */
export function keepValidators(economy: Economy, days: number): void {
  for (const judge of economy.judges) {
    if (!judge.isSeat) {
      const arrives = LAUNCH + economy.random.between(3600, 20 * DAY);
      economy.world.at(arrives, () => join(economy, judge));
    }
    const hour = economy.random.below(DAY);
    for (let day = 1; day <= days; day++)
      economy.world.at(LAUNCH + day * DAY + hour, () => look(economy, judge));
  }
}
