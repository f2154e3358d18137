// Subjects of events in NATS: vws.ev.<type>.<agent>.
// Keeps: one token for an agent, whatever its id: 64 hex characters stay, any other id is the hex of its UTF-8.

import type { EventDoc } from '../../store/documents.ts';
import { toHex, utf8 } from '../../wire/bytes.ts';

const ROOT = 'vws.ev';
/** The stream, unless it is named. */
export const NATS_STREAM = 'VWS_EVENTS';

/** All events. */
export const ALL_SUBJECTS = `${ROOT}.>`;
/** In place of an agent: any. */
export const ALL_AGENTS = '*';

export const agentToken = (id: string): string => (/^[0-9a-f]{64}$/.test(id) ? id : toHex(utf8(id)));

/** What the subjects of all events of a type begin with. */
export const subjectRoot = (type: string): string => `${ROOT}.${type}`;

export const subjectOf = ({ event_type, agent_id }: Pick<EventDoc, 'event_type' | 'agent_id'>): string =>
  `${subjectRoot(event_type)}.${agentToken(agent_id)}`;
