// An applicant that passed probation and waits for objections, on a node of its own where a day is a second.

import { Agent, get, TOKEN, until } from './agent.ts';
import type { Testbed } from './testbed.ts';

const ENOUGH_VOTES = 52;

/** The operator of the only seat, and an applicant that has just passed. Everything is decided by hand. */
export async function waitingApplicant(
  bed: Testbed,
): Promise<{ who: Agent; applicant: Agent; values: { validator_id: string } }> {
  const network = await bed.network([]);
  const env = { ...network.env, SERVICE_PARAM_DAY_SECS: '1' };
  const { port } = await bed.start({ dataDir: network.dataDir, env });
  const who = new Agent(port, network.operator);
  const applicant = await new Agent(port).register({ initial_stake: 30_000 * TOKEN });
  const sender = await new Agent(port).register({ initial_stake: 20_000 * TOKEN });
  const to = await new Agent(port).register();
  const { id } = await applicant.do('/v1/validators', {});
  const each = Array.from({ length: ENOUGH_VOTES });
  const sent = await Promise.all(
    each.map(() => sender.do('/v1/transfer', { to_agent: to.id, amount: TOKEN })),
  );
  // The applicant first: the verdict of the seat decides.
  for (const judge of [applicant, who]) {
    await Promise.all(sent.map(({ event_id }) => judge.do('/v1/verify', { event_id, verdict: true })));
  }
  const waits = await until(
    async () => (await get(port, `/v1/validators/${id}`)).body,
    (validator) => validator.objections_until !== undefined || validator.status !== 'probation',
    90_000,
  );
  if (waits.status !== 'probation') throw new Error(`the applicant is ${waits.status}`);
  return { who, applicant, values: { validator_id: id } };
}
