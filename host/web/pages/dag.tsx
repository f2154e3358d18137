// The DAG: how the seats arrive at one order without sending a single vote.

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

/** Seats with a vertex in the window, in the order of the validators. */
function rowsOf({ vertices }: DagWindow, seats: readonly Seat[]): Seat[] {
  const authors = new Set(vertices.map(({ author }) => author));
  const known = seats.filter(({ key }) => authors.delete(key));
  return [...known, ...[...authors].map((key) => ({ key, name: seatName(undefined, key) }))];
}

function Legend() {
  return (
    <ul class="legend">
      <li>
        <span class="sample final" /> Final: its position in the order is fixed
      </li>
      <li>
        <span class="sample leader" /> Elected leader: orders all its ancestors
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
    <nav class="pager" aria-label="Sections of the DAG">
      {earlier > 0 ? (
        <a href={linkTo('dag', '', { end: earlier })}>Earlier</a>
      ) : (
        <span class="soft">Earlier</span>
      )}
      <span>Up to order number {formatCount(end)}</span>
      {isNewest ? (
        <span class="soft">Newest</span>
      ) : (
        <a href={linkTo('dag', '', { end: later >= last ? undefined : later })}>Later</a>
      )}
    </nav>
  );
}

/** The selected vertex stays in view: the picture is frozen until the visitor resumes it. */
interface Frozen {
  window: DagWindow;
  hash: string;
}

function Selected(props: { frozen: Frozen | undefined; seats: readonly Seat[]; onResume(): void }) {
  const { frozen, seats, onResume } = props;
  const vertex = frozen?.window.vertices.find(({ hash }) => hash === frozen.hash);
  if (!vertex) {
    return (
      <p class="soft chosen">
        Select a vertex, with the pointer or with Tab and the arrow keys, to see its details.
      </p>
    );
  }
  return (
    <section class="chosen">
      <div class="title">
        <h2>
          Vertex <a href={linkTo('vertex', vertex.hash)}>{shortId(vertex.hash)}</a>
        </h2>
        <button type="button" class="quiet" onClick={onResume}>
          Resume live updates
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
  const [frozen, setFrozen] = useState<Frozen>();
  const data = frozen?.window ?? newest.data;
  const rows = data && seats && rowsOf(data, seats);

  // Another section of the DAG clears the selection.
  useEffect(() => setFrozen(undefined), [wanted]);

  return (
    <>
      <Title text="DAG" />
      <p class="soft lead">
        Each validator signs vertices that reference the vertices it has seen. From these references every
        node derives the same leaders, and from the leaders the same order: no vote is ever sent.
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
            selected={frozen?.hash}
            onSelect={(hash) => setFrozen({ window: data, hash })}
            isFollowing={!wanted && !frozen}
          />
          <Steps end={wanted ?? data.lastOrder} last={data.lastOrder} isNewest={!wanted} />
          <Selected frozen={frozen} seats={rows} onResume={() => setFrozen(undefined)} />
          <details>
            <summary>Show as a table</summary>
            <VertexTable of={data.vertices} seats={seats} />
          </details>
        </>
      )}
    </>
  );
}
