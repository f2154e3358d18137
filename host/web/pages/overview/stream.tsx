// The newest events as sentences, as they arrive. Can be paused for reading.

import { useState } from 'preact/hooks';
import type { StreamEvent } from '../../../client/index.ts';
import { useLive } from '../../data/use-live.ts';
import { Age, ThingLink } from '../../parts/values.tsx';
import { linkTo } from '../../routes.ts';
import { formatCount } from '../../text/amount.ts';
import { EventLine } from '../../text/event-line.tsx';

const SHOWN = 14;

export function Stream() {
  const newest = useLive((live) => live.events);
  const [frozen, setFrozen] = useState<readonly StreamEvent[]>();
  const events = (frozen ?? newest).slice(0, SHOWN);
  return (
    <section class="stream">
      <div class="title">
        <h2>Live stream</h2>
        <button type="button" class="quiet" onClick={() => setFrozen(frozen ? undefined : newest)}>
          {frozen ? 'Resume' : 'Pause'}
        </button>
      </div>
      {events.length === 0 && <p class="empty">No events yet. The first one will appear here.</p>}
      <ol>
        {events.map((event) => (
          <li key={event.seq} data-type={event.type}>
            <p>
              <EventLine of={event} />
            </p>
            <p class="soft">
              <ThingLink to="event" id={event.data.event_id} text={`Event ${formatCount(event.seq)}`} /> ·{' '}
              <Age secs={event.timestamp} />
            </p>
          </li>
        ))}
      </ol>
      <p>
        <a href={linkTo('events')}>All events</a>
      </p>
    </section>
  );
}
