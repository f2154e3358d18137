// Names for the authors of vertices: the validators that hold a seat.

import type { Validator } from '../../client/index.ts';
import { node } from '../data/node.ts';
import { useRead } from '../data/use-read.ts';
import { shortId } from '../text/words.ts';
import type { Seating } from './votes.ts';

const EVERY_MS = 30_000;
const MAX_VALIDATORS = 200;

export interface Seat {
  /** Consensus key. */
  key: string;
  name: string;
  /** Of its vertices. */
  weight: bigint;
}

/** A validator that nobody named has its key as id, which is shortened here. */
const seatsOf = (validators: readonly Validator[]): Seat[] =>
  validators.flatMap(({ consensus_public_key: key, id, vote_weight }) =>
    key ? [{ key, name: shortId(id), weight: BigInt(vote_weight) }] : [],
  );

export function useSeats(): readonly Seat[] | undefined {
  const { data } = useRead('seats', () => node.validators.list({ per_page: MAX_VALIDATORS }), EVERY_MS);
  return data && seatsOf(data);
}

export const seatName = (seats: readonly Seat[] | undefined, key: string): string =>
  seats?.find((seat) => seat.key === key)?.name ?? shortId(key);

/** Weights of the seats as they are now; those of an epoch are fixed when it begins. */
export function seatingOf(seats: readonly Seat[], minParticipants: number): Seating {
  const weights = new Map(seats.map(({ key, weight }) => [key, weight]));
  return {
    weightOf: (author) => weights.get(author) ?? 0n,
    total: seats.reduce((sum, { weight }) => sum + weight, 0n),
    minParticipants,
  };
}
