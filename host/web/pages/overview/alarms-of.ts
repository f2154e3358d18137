// What is wrong with a node or its network, in words.
// Keeps: an outage, a lagging node and a lost quorum each have a headline of their own, and say what to expect.

import type { NetworkState, Status } from '../../../client/index.ts';
import { formatCount } from '../../text/amount.ts';
import { formatAge, formatLocal } from '../../text/time.ts';

export interface Alarm {
  headline: string;
  means: string;
}

/** Words of the node's own reasons (conditions.ts). */
const QUORUM = /quorum|nothing was ordered/;
const LAG = /catches up/;

/** The gravest first; `seenSecs`: when the node answered last. */
export function alarmsOf(of: {
  status: Status | undefined;
  network: NetworkState | undefined;
  isSilent: boolean;
  seenSecs: number | undefined;
  nowSecs: number;
}): Alarm[] {
  const { status, network, isSilent, seenSecs, nowSecs } = of;
  const alarms: Alarm[] = [];
  if (isSilent) {
    const seen =
      seenSecs === undefined ? 'It has not answered yet.' : `What is below is of ${formatLocal(seenSecs)}.`;
    alarms.push({ headline: 'This node does not answer', means: seen });
  }
  const reasons = isSilent ? [] : (status?.not_ready ?? []);
  const said = reasons.join('; ');
  if (reasons.some((reason) => QUORUM.test(reason))) {
    const since = status ? ` The last was ${formatAge(status.consensus_time, nowSecs)}.` : '';
    alarms.push({
      headline: 'No quorum: nothing is being settled',
      means: `Writes wait until enough validators are connected; money is safe, and nothing is lost.${since} The node says: ${said}.`,
    });
  } else if (reasons.some((reason) => LAG.test(reason))) {
    const behind =
      status?.orders_behind === undefined ? '' : ` by ${formatCount(status.orders_behind)} order numbers`;
    alarms.push({
      headline: `This node lags behind${behind}`,
      means: 'What is below was true a while ago. Ask another node for the present.',
    });
  } else if (reasons.length > 0) {
    alarms.push({ headline: 'This node is not ready', means: `The node says: ${said}.` });
  }
  const silent = network?.silent_seats ?? [];
  if (silent.length > 0) {
    alarms.push({
      headline: `${silent.map((seat) => seat.validator_id).join(', ')} ${silent.length === 1 ? 'is' : 'are'} silent`,
      means: 'Nothing of theirs was ordered for a while. The others go on as long as they are a quorum.',
    });
  }
  return alarms;
}
