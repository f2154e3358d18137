// What a text may name: an id or the beginning of one, an address, an order number, a name, words of a service or a title.
// Keeps: only what has the text's form is asked for, so a search costs a few reads; what the page has seen costs none.

import { type Listing, type Validator, VwsError } from '../../client/index.ts';
import { type Live, titleOf, titles } from '../data/live.ts';
import { node } from '../data/node.ts';
import { linkTo } from '../routes.ts';
import { formatCount } from '../text/amount.ts';
import { shortId, words } from '../text/words.ts';

export interface Hit {
  /** What it is, such as `Task`. */
  kind: string;
  text: string;
  href: string;
}

export interface Found {
  hits: Hit[];
  listings: Listing[];
}

const MAX_LISTINGS = 20;
const MAX_VALIDATORS = 200;
/** Of an id: fewer letters name too many. */
const MIN_PREFIX = 4;

/** Reads something that need not exist: undefined for "not found"; any other error is thrown. */
async function maybe<T>(isPossible: boolean, read: () => Promise<T>): Promise<T | undefined> {
  if (!isPossible) return undefined;
  try {
    return await read();
  } catch (error) {
    if (error instanceof VwsError && (error.status === 404 || error.status === 410)) return undefined;
    if (error instanceof VwsError && error.code === 'bad_call') return undefined;
    throw error;
  }
}

/** Names are looked up in lists: a name that does not exist then gives an empty list instead of an error. */
async function agentCalled(name: string): Promise<string | undefined> {
  const [row] = await node.recentEvents({ event_type: 'registration', agent_id: name, limit: 1 });
  return row?.agent_id;
}

async function validatorsCalled(text: string): Promise<Validator[]> {
  const all = await node.validators.list({ per_page: MAX_VALIDATORS });
  const isLike = (id: string): boolean => id === text || (text.length > 1 && id.startsWith(text));
  return all.filter(({ id, agent_id }) => isLike(id) || agent_id === text);
}

const MAX_ORDER = 15;
const orderOf = (q: string): number | undefined => {
  const digits = q.replace(/[#,\s]/g, '');
  return /^[1-9]\d*$/.test(digits) && digits.length <= MAX_ORDER ? Number(digits) : undefined;
};

async function vertexAt(order: number): Promise<Hit | undefined> {
  const [vertex] = await node.vertices({ after: order - 1, per_page: 1 });
  if (vertex?.order !== order) return undefined;
  const text = `Order number ${formatCount(order)}: ${shortId(vertex.hash)}`;
  return { kind: 'Vertex', text, href: linkTo('vertex', vertex.hash) };
}

const hit = (kind: string, text: string, href: string): Hit => ({ kind, text, href });
const agentHit = (id: string): Hit => hit('Agent', id, linkTo('agent', id));
const taskHit = (id: string, title: string): Hit => hit('Task', title, linkTo('task', id));

/** What the page has seen already and begins with the text, or contains it: tasks by title, agents, tasks, events by id. */
export function seen(q: string, { events }: Pick<Live, 'events'>): Hit[] {
  const text = q.trim().toLowerCase();
  if (text.length < 2) return [];
  const hits: Hit[] = [...titles]
    .filter(([id, title]) => title.toLowerCase().includes(text) || begins(id, text))
    .map(([id, title]) => taskHit(id, title));
  for (const { data, type } of events) {
    if (begins(data.event_id, text)) hits.push(hit('Event', words(type), linkTo('event', data.event_id)));
    for (const id of agentsIn(data)) if (begins(id, text)) hits.push(agentHit(id));
    const task = (data as { task_id?: unknown }).task_id;
    if (typeof task === 'string' && begins(task, text)) hits.push(taskHit(task, titleOf(task) ?? task));
  }
  return [...new Map(hits.map((one) => [one.href, one])).values()];
}

const begins = (id: string, text: string): boolean =>
  (text.length >= MIN_PREFIX || !/^[0-9a-f]+$/.test(text)) && id.toLowerCase().startsWith(text);

const AGENT_MEMBERS = ['agent_id', 'from', 'to', 'poster_id', 'claimer_id', 'beneficiary'];
const agentsIn = (data: object): string[] =>
  AGENT_MEMBERS.flatMap((name) => {
    const id = (data as Record<string, unknown>)[name];
    return typeof id === 'string' && !/^(system|genesis|escrow):/.test(id) ? [id] : [];
  });

/** Asks the node. */
export async function find(q: string): Promise<Found> {
  const isHash = /^[0-9a-f]{64}$/i.test(q);
  const isTask = /^[0-9a-f]{32}$/i.test(q);
  const isAddress = /^t?vws1[a-z0-9]+$/i.test(q);
  const id = isHash || isTask ? q.toLowerCase() : q;
  const order = orderOf(q);
  const [agent, owner, task, event, vertex, placed, validators, listings] = await Promise.all([
    agentCalled(id),
    maybe(isAddress, () => node.addressOwner(q)),
    maybe(isTask, () => node.tasks.get(id)),
    maybe(isHash, () => node.event(id)),
    maybe(isHash, () => node.vertex(id)),
    order === undefined ? undefined : maybe(true, () => vertexAt(order)),
    validatorsCalled(id),
    node.market.search({ q, limit: MAX_LISTINGS }),
  ]);
  const account = agent ?? owner?.agent_id;
  const hits: (Hit | undefined)[] = [
    account === undefined ? undefined : agentHit(account),
    task && taskHit(task.id, task.title),
    event && hit('Event', words(event.event_type), linkTo('event', event.event_id)),
    vertex && hit('Vertex', vertex.hash, linkTo('vertex', vertex.hash)),
    placed,
    ...validators.map((v) => hit('Validator', `${v.id}, ${words(v.status)}`, linkTo('validator', v.id))),
  ];
  return { hits: hits.filter((one) => one !== undefined), listings };
}
