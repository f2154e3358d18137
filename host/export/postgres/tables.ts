// The tables of an export: names of columns and how their values are read off events, postings and documents.
// Keeps: one list for each table; the migrations create these columns, and a test compares both.

import type { EventDoc } from '../../store/documents.ts';
import type { DocumentKind, ExportedDocument, ExportedPosting } from '../batch.ts';
import { heldJson, type Value } from './values.ts';

export type Columns<Row> = readonly (readonly [name: string, type: string, value: (row: Row) => Value])[];

/** An event with its positions, from 1, among those of its agent, of its type, and of both. */
export interface PlacedEvent {
  doc: EventDoc;
  byAgent: number;
  byType: number;
  byBoth: number;
}

export const EVENT_COLUMNS: Columns<PlacedEvent> = [
  ['seq', 'bigint', ({ doc }) => doc.seq],
  ['ord', 'bigint', ({ doc }) => doc.order],
  ['idx', 'bigint', ({ doc }) => doc.index],
  ['ts', 'bigint', ({ doc }) => doc.timestamp],
  ['type', 'text', ({ doc }) => doc.event_type],
  ['event_id', 'text', ({ doc }) => doc.event_id],
  ['agent_id', 'text', ({ doc }) => doc.agent_id],
  ['recipient_id', 'text', ({ doc }) => doc.recipient_id],
  ['task_id', 'text', ({ doc }) => doc.task_id],
  ['amount', 'bigint', ({ doc }) => doc.amount],
  ['fee', 'bigint', ({ doc }) => doc.fee],
  ['state', 'text', ({ doc }) => doc.settlement_state],
  ['by_agent', 'bigint', ({ byAgent }) => byAgent],
  ['by_type', 'bigint', ({ byType }) => byType],
  ['by_both', 'bigint', ({ byBoth }) => byBoth],
  ['doc', 'json', ({ doc }) => heldJson(doc)],
];

export const POSTING_COLUMNS: Columns<ExportedPosting> = [
  ['seq', 'bigint', ({ seq }) => seq],
  ['ord', 'bigint', ({ order }) => order],
  ['n', 'bigint', ({ number }) => number],
  ['cause', 'text', ({ cause }) => cause],
  ['account', 'text', ({ account }) => account],
  ['amount', 'bigint', ({ amount }) => amount],
];

const text = (name: string, member = name): Columns<ExportedDocument>[number] => [
  name,
  'text',
  ({ doc }) => {
    const value = doc[member];
    return typeof value === 'string' ? value : undefined;
  },
];
const number = (name: string, member = name): Columns<ExportedDocument>[number] => [
  name,
  'bigint',
  ({ doc }) => {
    const value = doc[member];
    return typeof value === 'number' && Number.isSafeInteger(value) ? value : undefined;
  },
];

/** Columns of what is not in the document. */
const more = (name: string, type: 'text' | 'bigint'): Columns<ExportedDocument>[number] => [
  name,
  type,
  ({ more: values }) => values?.[name],
];

/** Beside id, ord and doc. */
export const DOCUMENT_COLUMNS: Readonly<Record<DocumentKind, Columns<ExportedDocument>>> = {
  agent: [
    text('name', 'display_name'),
    number('balance'),
    number('staked', 'staked_amount'),
    number('reputation', 'reputation_score'),
    number('first_seen'),
    number('last_active'),
    more('number', 'bigint'),
    more('key', 'text'),
    more('public_key', 'text'),
    more('address', 'text'),
  ],
  task: [
    text('status'),
    text('poster', 'poster_id'),
    text('claimer', 'claimer_id'),
    text('category'),
    number('budget'),
    number('posted_at'),
    number('completed_at'),
    text('lane', 'assurance_lane'),
    more('number', 'bigint'),
    more('hired', 'text'),
    more('content', 'text'),
  ],
  listing: [
    text('name'),
    text('category'),
    number('price_tok'),
    number('updated_at'),
    more('active', 'bigint'),
    more('words', 'text'),
  ],
  validator: [
    text('agent', 'agent_id'),
    text('status'),
    number('staked', 'staked_amount'),
    number('vote_weight'),
    number('registered_at'),
  ],
  challenge: [
    text('status'),
    text('event_id'),
    text('task_id'),
    text('challenger', 'challenger_id'),
    text('target', 'target_id'),
    more('number', 'bigint'),
  ],
  replay_job: [text('status'), text('task_id'), text('executor', 'executor_id'), more('number', 'bigint')],
  run_count: [number('runs'), number('passed')],
  summary: [],
};
