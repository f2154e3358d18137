// All events, newest first; events that arrive meanwhile are counted, and shown on the first page.

import type { EventRow } from '../../client/index.ts';
import { node } from '../data/node.ts';
import { useList } from '../data/use-list.ts';
import { useLive } from '../data/use-live.ts';
import { useRead } from '../data/use-read.ts';
import { EventTable } from '../parts/event-table.tsx';
import { Filter } from '../parts/filter.tsx';
import { Fault, Loading } from '../parts/notice.tsx';
import { Pager, pageOf } from '../parts/pager.tsx';
import { Title } from '../parts/title.tsx';
import { AgentLink } from '../parts/values.tsx';
import { linkTo, type Place } from '../routes.ts';
import { formatCount } from '../text/amount.ts';
import { plural } from '../text/words.ts';

const EVERY_MS = 5000;

function Fresh() {
  const fresh = useLive((live) => live.fresh);
  return (
    <>
      {formatCount(fresh)} new {plural(fresh, 'event')} since you opened this page.
    </>
  );
}

export function EventsPage({ place }: { place: Place }) {
  const { type, agent } = place.query;
  const stats = useRead('dag stats', node.dagStats);
  const query = { page: pageOf(place), event_type: type || undefined, agent_id: agent || undefined };
  const { data, error } = useList<EventRow>('/v1/events/recent', query, EVERY_MS);
  const types = Object.keys(stats.data?.events_by_type ?? {}).sort();
  return (
    <>
      <Title text="Events">
        <Filter place={place} name="type" label="Type" values={types} all="All" />
      </Title>
      {agent && (
        <p>
          Only those of <AgentLink id={agent} /> · <a href={linkTo('events', '', { type })}>Show all</a>
        </p>
      )}
      <p class="soft">
        Every transaction and everything that follows from one, in the order that all nodes agree on.{' '}
        <Fresh />
      </p>
      <Fault error={error} />
      {data ? (
        <EventTable
          name="Events"
          rows={data.rows}
          empty={
            <>
              No event is like that. <a href={linkTo('events')}>Show all</a>.
            </>
          }
        />
      ) : (
        !error && <Loading />
      )}
      <Pager place={place} total={data?.total} />
    </>
  );
}
