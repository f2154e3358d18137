// One vertex of the DAG.

import { seatName, useSeats } from '../dag/seats.ts';
import { VertexFacts } from '../dag/vertex-facts.tsx';
import { node } from '../data/node.ts';
import { useRead } from '../data/use-read.ts';
import { CopyId } from '../parts/copy.tsx';
import { Facts } from '../parts/facts.tsx';
import { Fault, Loading } from '../parts/notice.tsx';
import { Title } from '../parts/title.tsx';
import { linkTo, type Place } from '../routes.ts';

const EVERY_MS = 5000;
const AHEAD = 12;

export function VertexPage({ place }: { place: Place }) {
  const { data, error } = useRead(place.id, () => node.vertex(place.id), EVERY_MS);
  const seats = useSeats();
  return (
    <>
      <Title text={data?.is_leader ? 'Leader vertex' : 'Vertex'} />
      <p>
        <CopyId id={place.id} what="the vertex hash" />
      </p>
      <Fault error={error} />
      {!data && !error && <Loading />}
      {data && (
        <>
          <VertexFacts of={data} seat={seats && seatName(seats, data.author)} />
          <Facts
            isWide
            of={[
              ['Author key', <CopyId key="author" id={data.author} what="the key" />],
              ['Signature', <CopyId key="signature" id={data.signature} what="the signature" />],
            ]}
          />
          <p>
            <a href={linkTo('dag', '', { end: data.order === undefined ? undefined : data.order + AHEAD })}>
              Show in the DAG
            </a>
          </p>
        </>
      )}
    </>
  );
}
