// The event DAG: how the seats come to one order without sending a single vote.

import { useEffect, useState } from 'preact/hooks';
import { layoutOf } from '../dag/layout.ts';
import { DagPicture } from '../dag/picture.tsx';
import { type Seat, seatName, useSeats } from '../dag/seats.ts';
import { VertexFacts } from '../dag/vertex-facts.tsx';
import { VertexTable } from '../dag/vertex-table.tsx';
import { type DagWindow, loadWindow, SHOWN } from '../dag/window.ts';
import { node } from '../data/node.ts';
import { useRead } from '../data/use-read.ts';
import { Fault, Loading } from '../parts/notice.tsx';
import { Title } from '../parts/title.tsx';
import { linkTo, type Place } from '../routes.ts';
import { formatCount } from '../text/amount.ts';
import { shortId } from '../text/words.ts';

const EVERY_MS = 2000;

/** Seats that made a vertex of the window, in the order of the validators. */
function rowsOf({ vertices }: DagWindow, seats: readonly Seat[]): Seat[] {
  const authors = new Set(vertices.map(({ author }) => author));
  const known = seats.filter(({ key }) => authors.delete(key));
  return [...known, ...[...authors].map((key) => ({ key, name: seatName(undefined, key) }))];
}

function Legend() {
  return (
    <ul class="legend">
      <li>
        <span class="sample final" /> Final: its place in the order is fixed
      </li>
      <li>
        <span class="sample leader" /> Elected leader: puts all that it builds on into the order
      </li>
      <li>
        <span class="sample open" /> Not final yet
      </li>
      <li>
        <span class="sample count">3</span> Carries three transactions
      </li>
    </ul>
  );
}

function Steps({ end, last, isNewest }: { end: number; last: number; isNewest: boolean }) {
  const earlier = end - SHOWN / 2;
  const later = end + SHOWN / 2;
  return (
    <nav class="pager" aria-label="Parts of the DAG">
      {earlier > 0 ? (
        <a href={linkTo('dag', '', { end: earlier })}>Earlier</a>
      ) : (
        <span class="soft">Earlier</span>
      )}
      <span>Up to order {formatCount(end)}</span>
      {isNewest ? (
        <span class="soft">Newest</span>
      ) : (
        <a href={linkTo('dag', '', { end: later >= last ? undefined : later })}>Later</a>
      )}
    </nav>
  );
}

/** What was chosen stays in sight: the picture is held until one goes on. */
interface Held {
  window: DagWindow;
  hash: string;
}

function Chosen({ held, seats, onGoOn }: { held: Held | undefined; seats: readonly Seat[]; onGoOn(): void }) {
  const vertex = held?.window.vertices.find(({ hash }) => hash === held.hash);
  if (!vertex) {
    return (
      <p class="soft chosen">
        Choose a vertex, by pointer or by Tab and the arrow keys, to read what it holds.
      </p>
    );
  }
  return (
    <section class="chosen">
      <div class="title">
        <h2>
          Vertex <a href={linkTo('vertex', vertex.hash)}>{shortId(vertex.hash)}</a>
        </h2>
        <button type="button" class="quiet" onClick={onGoOn}>
          Let the picture go on
        </button>
      </div>
      <VertexFacts of={vertex} seat={seatName(seats, vertex.author)} />
    </section>
  );
}

const isNarrow = (): boolean => matchMedia('(max-width: 52rem)').matches;

export function DagPage({ place }: { place: Place }) {
  const wanted = Number.parseInt(place.query.end ?? '', 10) || undefined;
  const newest = useRead(`dag ${wanted}`, () => loadWindow(node, wanted), wanted ? undefined : EVERY_MS);
  const seats = useSeats();
  const [held, setHeld] = useState<Held>();
  const data = held?.window ?? newest.data;
  const rows = data && seats && rowsOf(data, seats);

  // Another part of the DAG lets go of what was chosen.
  useEffect(() => setHeld(undefined), [wanted]);

  return (
    <>
      <Title text="Event DAG" />
      <p class="soft lead">
        Each validator signs vertices that name the vertices it has seen. From who has seen what, every node
        works out the same leaders, and from the leaders the same order: no vote is ever sent.
      </p>
      <Fault error={newest.error} />
      {!rows && !newest.error && <Loading />}
      {data && rows && (
        <>
          <Legend />
          <DagPicture
            layout={layoutOf(
              data.vertices,
              rows.map(({ key }) => key),
              isNarrow(),
            )}
            seats={rows.map(({ name }) => name)}
            selected={held?.hash}
            onSelect={(hash) => setHeld({ window: data, hash })}
            isFollowing={!wanted && !held}
          />
          <Steps end={wanted ?? data.lastOrder} last={data.lastOrder} isNewest={!wanted} />
          <Chosen held={held} seats={rows} onGoOn={() => setHeld(undefined)} />
          <details>
            <summary>The same as a table</summary>
            <VertexTable of={data.vertices} seats={seats} />
          </details>
        </>
      )}
    </>
  );
}
