// The lamp beside the newest events: is the page connected, and does anything happen.

import type { Status } from '../../../client/index.ts';
import type { Live } from '../../data/live.ts';

const STATES = {
  connecting: ['wait', 'Connecting'],
  live: ['good', 'Live'],
  lost: ['bad', 'Connection lost, reconnecting'],
} as const;

/** Tone and words. A node that is not ready is connected, but what is shown may not be the present: the alarms say why. */
export function lampOf(
  connection: Live['state'],
  isSilent: boolean,
  status: Status | undefined,
): readonly ['good' | 'wait' | 'bad', string] {
  if (isSilent) return ['bad', 'The node does not answer'];
  if (connection === 'live' && (status?.not_ready ?? []).length > 0) return ['wait', 'Connected, not ready'];
  return STATES[connection];
}
