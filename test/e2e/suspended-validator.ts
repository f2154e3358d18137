// A validator that is suspended for lack of stake, on a node of its own where a day is a second.

import { Agent, get, TOKEN, until } from './agent.ts';
import type { Testbed } from './testbed.ts';

/**
 * `seat-1` after the grace (protocol 7.4): its operator's transfer was rejected, which took the whole stake. By now the
 * required one is staked again, so that it may resume.
 */
export async function suspendedValidator(
  bed: Testbed,
): Promise<{ who: Agent; values: { validator_id: string } }> {
  const network = await bed.network(['active']);
  const env = { ...network.env, SERVICE_PARAM_DAY_SECS: '1' };
  const { port } = await bed.start({ dataDir: network.dataDir, env });
  const who = new Agent(port, network.others[0]!.signer);
  const other = await new Agent(port).register();
  const { event_id } = await who.do('/v1/transfer', { to_agent: other.id, amount: TOKEN });
  await new Agent(port, network.operator).do('/v1/verify', { event_id, verdict: false });
  await until(
    async () => (await get(port, '/v1/validators/seat-1')).body,
    (validator) => validator.status === 'suspended',
    60_000,
  );
  await who.do('/v1/stake', { amount: 10_000 * TOKEN });
  return { who, values: { validator_id: 'seat-1' } };
}
