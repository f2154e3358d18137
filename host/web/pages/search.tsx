// Search: an id, address or order number finds the item itself; words find services and what this page has seen.

import type { Listing } from '../../client/index.ts';
import { useLive } from '../data/use-live.ts';
import { useRead } from '../data/use-read.ts';
import { Fault, Loading } from '../parts/notice.tsx';
import { type Column, Table } from '../parts/table.tsx';
import { Title } from '../parts/title.tsx';
import { AgentLink } from '../parts/values.tsx';
import type { Place } from '../routes.ts';
import { find, type Hit, seen } from '../search/find.ts';
import { formatCount } from '../text/amount.ts';
import { words } from '../text/words.ts';

const LISTINGS: readonly Column<Listing>[] = [
  { name: 'Service', cell: (l) => <b>{l.name}</b> },
  { name: 'By', cell: (l) => <AgentLink id={l.agent_id} /> },
  { name: 'Category', cell: (l) => words(l.category) },
  { name: 'Price', isNumber: true, cell: (l) => formatCount(l.price_tok) },
];
const HITS: readonly Column<Hit>[] = [
  { name: 'What', cell: (h) => h.kind },
  { name: 'Found', cell: (h) => <a href={h.href}>{h.text}</a> },
];

export function SearchPage({ place }: { place: Place }) {
  const q = (place.query.q ?? '').trim();
  const events = useLive((live) => live.events);
  const { data, error } = useRead(q, async () => (q === '' ? undefined : await find(q)));
  const all = [...(data?.hits ?? []), ...seen(q, { events })];
  const hits = [...new Map(all.map((one) => [one.href, one])).values()];
  return (
    <>
      <Title text={q === '' ? 'Search' : `Search: ${q}`} />
      <Fault error={error} />
      {q === '' && (
        <p>
          Enter the ID of an agent, task, event, vertex or validator, or its beginning, an address, an order
          number, or words of a service.
        </p>
      )}
      {q !== '' && !data && !error && <Loading lines={2} />}
      {data && hits.length === 0 && data.listings.length === 0 && (
        <p class="empty">
          Nothing found with this ID, address or order number, and no service with these words. Tasks are
          found by their words only once this page has shown them; display names are not searched.
        </p>
      )}
      {hits.length > 0 && <Table name="Found" columns={HITS} rows={hits} keyOf={(h) => h.href} empty="" />}
      {data && data.listings.length > 0 && (
        <section>
          <h2>Services</h2>
          <Table name="Services" columns={LISTINGS} rows={data.listings} keyOf={(l) => l.agent_id} empty="" />
        </section>
      )}
    </>
  );
}
