// Subjects of events in NATS: vws.ev.<type>.<agent>.
// Keeps: one token for an agent, whatever its id: 64 hex characters stay, any other id is the hex of its UTF-8.

import type { EventDoc } from '../../store/documents.ts';
import { toHex, utf8 } from '../../wire/bytes.ts';

const ROOT = 'vws.ev';

/** All events. */
export const ALL_SUBJECTS = `${ROOT}.>`;

export const agentToken = (id: string): string => (/^[0-9a-f]{64}$/.test(id) ? id : toHex(utf8(id)));

export const subjectOf = ({ event_type, agent_id }: Pick<EventDoc, 'event_type' | 'agent_id'>): string =>
  `${ROOT}.${event_type}.${agentToken(agent_id)}`;
