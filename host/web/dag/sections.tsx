// The ways through the DAG: earlier and later sections, the epochs before and after, and how much is shown at once.

import { useState } from 'preact/hooks';
import { VwsError } from '../../client/index.ts';
import { node } from '../data/node.ts';
import { Fault } from '../parts/notice.tsx';
import { linkTo, type Place } from '../routes.ts';
import { formatCount } from '../text/amount.ts';
import { firstOf } from './seal-search.ts';

/** Final vertices in view, by level. */
export const ZOOMS = { near: 36, middle: 72, far: 200 } as const;
export type Zoom = keyof typeof ZOOMS;

export const zoomOf = ({ query }: Place): Zoom =>
  Object.hasOwn(ZOOMS, query.zoom ?? '') ? (query.zoom as Zoom) : 'middle';

const LABELS: Readonly<Record<Zoom, string>> = { near: 'Few rounds', middle: 'Rounds', far: 'Many rounds' };

export function ZoomChoice({ place }: { place: Place }) {
  const zoom = zoomOf(place);
  return (
    <nav class="spans" aria-label="Zoom">
      {(Object.keys(ZOOMS) as Zoom[]).map((name) => (
        <a
          key={name}
          href={linkTo('dag', '', { ...place.query, zoom: name === 'middle' ? undefined : name })}
          aria-current={name === zoom ? 'true' : undefined}
        >
          {LABELS[name]}
        </a>
      ))}
    </nav>
  );
}

export function Steps({ place, end, last }: { place: Place; end: number; last: number }) {
  const isNewest = place.query.end === undefined;
  const shown = ZOOMS[zoomOf(place)];
  const to = (order: number | undefined): string => linkTo('dag', '', { ...place.query, end: order });
  const [earlier, later] = [end - shown / 2, end + shown / 2];
  return (
    <nav class="pager" aria-label="Sections of the DAG">
      {earlier > 0 ? <a href={to(earlier)}>Earlier</a> : <span class="soft">Earlier</span>}
      <span>Up to order number {formatCount(end)}</span>
      {isNewest ? (
        <span class="soft">Newest</span>
      ) : (
        <a href={to(later >= last ? undefined : later)}>Later</a>
      )}
    </nav>
  );
}

/** The epoch of the vertex at an order number. */
async function epochAt(order: number): Promise<number | undefined> {
  try {
    const [vertex] = await node.vertices({ after: order - 1, per_page: 1 });
    return vertex?.order === order ? vertex.epoch : undefined;
  } catch (error) {
    if (error instanceof VwsError && error.status === 410) return undefined;
    throw error;
  }
}

/** Moves to the seal at the beginning or the end of the epochs in view. */
export function Epochs(props: { place: Place; epochs: readonly [number, number]; last: number }) {
  const { place, epochs, last } = props;
  const [first, newest] = epochs;
  const [isSearching, setSearching] = useState(false);
  const [error, setError] = useState<Error>();
  /** The section around the first vertex of an epoch: its seal is in the middle. */
  const go = async (epoch: number): Promise<void> => {
    setSearching(true);
    try {
      const found = await firstOf(epochAt, epoch, 1, last);
      const half = ZOOMS[zoomOf(place)] / 2;
      if (found === undefined) throw new Error(`The node has no vertex of epoch ${epoch} yet.`);
      location.hash = linkTo('dag', '', { ...place.query, end: Math.min(last, found + half) });
      setError(undefined);
    } catch (cause) {
      setError(cause as Error);
    } finally {
      setSearching(false);
    }
  };
  return (
    <>
      <p class="row">
        <span>{first === newest ? `Epoch ${first}` : `Epochs ${first} to ${newest}`}</span>
        <button
          type="button"
          class="quiet"
          disabled={isSearching || newest === 0}
          onClick={() => void go(first === newest ? first : first + 1)}
        >
          {first === newest ? 'Show the seal before it' : 'Centre on the seal'}
        </button>
        <button
          type="button"
          class="quiet"
          disabled={isSearching || place.query.end === undefined}
          onClick={() => void go(newest + 1)}
        >
          Show the seal after it
        </button>
      </p>
      <Fault error={error} />
    </>
  );
}
