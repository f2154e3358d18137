// The DAG: how the seats arrive at one order without sending a single vote.

import { useEffect, useMemo, useState } from 'preact/hooks';
import { Forks } from '../dag/forks.tsx';
import { layoutOf } from '../dag/layout.ts';
import { DagPicture, stepOf } from '../dag/picture.tsx';
import { epochsOf } from '../dag/seal-search.ts';
import { type Seat, seatingOf, seatName, useSeats } from '../dag/seats.ts';
import { Epochs, Steps, ZOOMS, ZoomChoice, zoomOf } from '../dag/sections.tsx';
import { VertexFacts } from '../dag/vertex-facts.tsx';
import { VertexTable } from '../dag/vertex-table.tsx';
import { forksOf } from '../dag/votes.ts';
import { whyOf } from '../dag/why.ts';
import { type Marks, WhyPanel } from '../dag/why-panel.tsx';
import { type DagWindow, loadWindow } from '../dag/window.ts';
import { node } from '../data/node.ts';
import { useRead } from '../data/use-read.ts';
import { Fault, Loading } from '../parts/notice.tsx';
import { Title } from '../parts/title.tsx';
import { linkTo, type Place } from '../routes.ts';
import { shortId } from '../text/words.ts';

const EVERY_MS = 2000;

/** Seats with a vertex in the window, in the order of the validators. */
function rowsOf({ vertices }: DagWindow, seats: readonly Seat[]): Seat[] {
  const authors = new Set(vertices.map(({ author }) => author));
  const known = seats.filter(({ key }) => authors.delete(key));
  return [...known, ...[...authors].map((key) => ({ key, name: seatName(undefined, key), weight: 0n }))];
}

const SAMPLES: readonly [string, string][] = [
  ['final', 'Final: its position in the order is fixed'],
  ['leader', 'Elected leader: orders all its ancestors'],
  ['open', 'Not final yet'],
  ['count', 'Carries three transactions'],
  ['fork', 'Fork: signed twice with one number'],
];

function Legend() {
  return (
    <ul class="legend">
      {SAMPLES.map(([kind, text]) => (
        <li key={kind}>
          <span class={`sample ${kind}`}>{kind === 'count' ? 3 : ''}</span> {text}
        </li>
      ))}
    </ul>
  );
}

/** The selected vertex stays in view: the picture is frozen until the visitor resumes it. */
interface Frozen {
  window: DagWindow;
  hash: string;
}

function Selected(props: {
  frozen: Frozen | undefined;
  seats: readonly Seat[];
  minParticipants: number;
  onResume(): void;
  onStep(marks: Marks | undefined): void;
}) {
  const { frozen, seats, minParticipants, onResume, onStep } = props;
  const nameOf = (author: string): string => seatName(seats, author);
  const vertex = frozen?.window.vertices.find(({ hash }) => hash === frozen.hash);
  const why = useMemo(() => {
    const q = { vertices: frozen?.window.vertices ?? [], seating: seatingOf(seats, minParticipants), nameOf };
    return frozen && whyOf(q, frozen.hash);
  }, [frozen, seats, minParticipants]);
  if (!vertex) {
    return (
      <p class="soft chosen">
        Select a vertex, with the pointer or with Tab and the arrow keys, to see its details and why it is
        final.
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
      {why && <WhyPanel of={why} onStep={onStep} />}
      <VertexFacts of={vertex} seat={seatName(seats, vertex.author)} />
    </section>
  );
}

const isNarrow = (): boolean => matchMedia('(max-width: 52rem)').matches;

export function DagPage({ place }: { place: Place }) {
  const wanted = Number.parseInt(place.query.end ?? '', 10) || undefined;
  const zoom = zoomOf(place);
  const newest = useRead(
    `dag ${wanted} ${zoom}`,
    () => loadWindow(node, wanted, ZOOMS[zoom]),
    wanted ? undefined : EVERY_MS,
  );
  const network = useRead('network state', node.networkState);
  const seats = useSeats();
  const [frozen, setFrozen] = useState<Frozen>();
  const [marks, setMarks] = useState<Marks>();
  const data = frozen?.window ?? newest.data;
  const rows = data && seats && rowsOf(data, seats);
  const forks = data ? forksOf(data.vertices) : [];
  const isSmall = zoom === 'far';

  // Another section of the DAG clears the selection.
  useEffect(() => {
    setFrozen(undefined);
    setMarks(undefined);
  }, [wanted, zoom]);

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
          <Forks of={forks} nameOf={(author) => seatName(rows, author)} />
          {data.missing.length > 0 && (
            <p class="soft">
              Not shown, since this node does not have {data.missing.length === 1 ? 'it' : 'them'}:{' '}
              {data.missing.map(shortId).join(', ')}.
            </p>
          )}
          <Legend />
          <ZoomChoice place={place} />
          <DagPicture
            layout={layoutOf(
              data.vertices,
              rows.map(({ key }) => key),
              isSmall || isNarrow(),
              stepOf(isSmall),
            )}
            seats={rows.map(({ name }) => name)}
            selected={frozen?.hash}
            onSelect={(hash) => setFrozen({ window: data, hash })}
            isFollowing={!wanted && !frozen}
            marks={marks}
            forks={new Set(forks.flat().map(({ hash }) => hash))}
            isSmall={isSmall}
          />
          <Steps place={place} end={wanted ?? data.lastOrder} last={data.lastOrder} />
          {data.vertices.length > 0 && (
            <Epochs place={place} epochs={epochsOf(data.vertices)} last={data.lastOrder} />
          )}
          <Selected
            frozen={frozen}
            seats={seats}
            minParticipants={network.data?.min_participants ?? 1}
            onResume={() => setFrozen(undefined)}
            onStep={setMarks}
          />
          <details>
            <summary>Show as a table</summary>
            <VertexTable of={data.vertices} seats={seats} />
          </details>
        </>
      )}
    </>
  );
}
