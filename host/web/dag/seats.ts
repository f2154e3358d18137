// Names for the authors of vertices: the validators that hold a seat.

import type { Validator } from '../../client/index.ts';
import { node } from '../data/node.ts';
import { useRead } from '../data/use-read.ts';
import { shortId } from '../text/words.ts';

const EVERY_MS = 30_000;
const MAX_VALIDATORS = 200;

export interface Seat {
  /** Consensus key. */
  key: string;
  name: string;
}

/** A validator that nobody named has its key as id, which is shortened here. */
const seatsOf = (validators: readonly Validator[]): Seat[] =>
  validators.flatMap(({ consensus_public_key: key, id }) => (key ? [{ key, name: shortId(id) }] : []));

export function useSeats(): readonly Seat[] | undefined {
  const { data } = useRead('seats', () => node.validators.list({ per_page: MAX_VALIDATORS }), EVERY_MS);
  return data && seatsOf(data);
}

export const seatName = (seats: readonly Seat[] | undefined, key: string): string =>
  seats?.find((seat) => seat.key === key)?.name ?? shortId(key);
