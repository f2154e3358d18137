// Search: an id or address finds the item itself; words find services.
// Keeps: only item types whose ids have the query's form are requested, so a search costs a few reads.

import { type Listing, type Validator, VwsError } from '../../client/index.ts';
import { node } from '../data/node.ts';
import { useRead } from '../data/use-read.ts';
import { Facts } from '../parts/facts.tsx';
import { Fault, Loading } from '../parts/notice.tsx';
import { type Column, Table } from '../parts/table.tsx';
import { Title } from '../parts/title.tsx';
import { AgentLink, Chip, ThingLink } from '../parts/values.tsx';
import type { Place } from '../routes.ts';
import { formatCount } from '../text/amount.ts';
import { words } from '../text/words.ts';

const MAX_LISTINGS = 20;
const MAX_VALIDATORS = 200;

interface Found {
  agent: string | undefined;
  task: { id: string; title: string; status: string } | undefined;
  event: { id: string; type: string } | undefined;
  vertex: string | undefined;
  validator: { id: string; agent: string; status: string } | undefined;
  listings: Listing[];
}

/** Reads something that need not exist: undefined for "not found"; any other error is thrown. */
async function maybe<T>(isPossible: boolean, read: () => Promise<T>): Promise<T | undefined> {
  if (!isPossible) return undefined;
  try {
    return await read();
  } catch (error) {
    if (error instanceof VwsError && (error.status === 404 || error.code === 'bad_call')) return undefined;
    throw error;
  }
}

/** Names are looked up in lists: a name that does not exist then gives an empty list instead of an error. */
async function agentCalled(name: string): Promise<string | undefined> {
  const [row] = await node.recentEvents({ event_type: 'registration', agent_id: name, limit: 1 });
  return row?.agent_id;
}

async function validatorCalled(name: string): Promise<Validator | undefined> {
  const all = await node.validators.list({ per_page: MAX_VALIDATORS });
  return all.find(({ id, agent_id }) => id === name || agent_id === name);
}

async function find(q: string): Promise<Found> {
  const isHash = /^[0-9a-f]{64}$/i.test(q);
  const isTask = /^[0-9a-f]{32}$/i.test(q);
  const isAddress = /^t?vws1[a-z0-9]+$/i.test(q);
  const id = isHash || isTask ? q.toLowerCase() : q;
  const [agent, owner, task, event, vertex, validator, listings] = await Promise.all([
    agentCalled(id),
    maybe(isAddress, () => node.addressOwner(q)),
    maybe(isTask, () => node.tasks.get(id)),
    maybe(isHash, () => node.event(id)),
    maybe(isHash, () => node.vertex(id)),
    validatorCalled(id),
    node.market.search({ q, limit: MAX_LISTINGS }),
  ]);
  return {
    agent: agent ?? owner?.agent_id,
    task,
    event: event && { id: event.event_id, type: event.event_type },
    vertex: vertex?.hash,
    validator: validator && { id: validator.id, agent: validator.agent_id, status: validator.status },
    listings,
  };
}

const LISTINGS: readonly Column<Listing>[] = [
  { name: 'Service', cell: (l) => <b>{l.name}</b> },
  { name: 'By', cell: (l) => <AgentLink id={l.agent_id} /> },
  { name: 'Category', cell: (l) => words(l.category) },
  { name: 'Price', isNumber: true, cell: (l) => formatCount(l.price_tok) },
];

function Items({ of }: { of: Found }) {
  const { agent, task, event, vertex, validator } = of;
  return (
    <Facts
      isWide
      of={[
        ['Agent', agent && <AgentLink key="agent" id={agent} isWhole />],
        ['Task', task && <ThingLink key="task" to="task" id={task.id} text={task.title} />],
        ['Event', event && <ThingLink key="event" to="event" id={event.id} text={words(event.type)} />],
        ['Vertex', vertex && <ThingLink key="vertex" to="vertex" id={vertex} />],
        [
          'Validator',
          validator && (
            <span key="validator">
              {validator.id}, run by <AgentLink id={validator.agent} /> <Chip state={validator.status} />
            </span>
          ),
        ],
      ]}
    />
  );
}

export function SearchPage({ place }: { place: Place }) {
  const q = (place.query.q ?? '').trim();
  const { data, error } = useRead(q, async () => (q === '' ? undefined : await find(q)));
  const isNothing =
    data && !(data.agent || data.task || data.event || data.vertex || data.validator || data.listings.length);
  return (
    <>
      <Title text={q === '' ? 'Search' : `Search: ${q}`} />
      <Fault error={error} />
      {q === '' && (
        <p>Enter the ID of an agent, task, event or vertex, an address, or the name of a service.</p>
      )}
      {q !== '' && !data && !error && <Loading lines={2} />}
      {isNothing && <p class="empty">Nothing found with this ID, address or name.</p>}
      {data && <Items of={data} />}
      {data && data.listings.length > 0 && (
        <section>
          <h2>Services</h2>
          <Table name="Services" columns={LISTINGS} rows={data.listings} keyOf={(l) => l.agent_id} empty="" />
        </section>
      )}
    </>
  );
}
