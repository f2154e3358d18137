// One-way delays between ten regions of the public internet, as large cloud providers publish them as round trips.

const REGIONS = [
  'Virginia',
  'Oregon',
  'Ireland',
  'Frankfurt',
  'Sao Paulo',
  'Mumbai',
  'Singapore',
  'Tokyo',
  'Sydney',
  'Cape Town',
] as const;

/** Milliseconds, by region in the order above; the diagonal: two sites of one region. */
const ONE_WAY_MS: readonly (readonly number[])[] = [
  [1, 32, 34, 45, 58, 95, 108, 78, 100, 112],
  [32, 1, 62, 70, 88, 108, 82, 49, 70, 138],
  [34, 62, 1, 12, 90, 61, 87, 101, 128, 79],
  [45, 70, 12, 1, 102, 56, 79, 113, 145, 77],
  [58, 88, 90, 102, 1, 151, 163, 128, 155, 169],
  [95, 108, 61, 56, 151, 1, 28, 60, 74, 133],
  [108, 82, 87, 79, 163, 28, 1, 34, 46, 110],
  [78, 49, 101, 113, 128, 60, 34, 1, 52, 177],
  [100, 70, 128, 145, 155, 74, 46, 52, 1, 205],
  [112, 138, 79, 77, 169, 133, 110, 177, 205, 1],
];

/** Four seats: Virginia, Ireland, Tokyo, Sao Paulo. More are spread over all regions in turn. */
const FOUR = [0, 2, 7, 4] as const;

const regionOf = (seat: number, seats: number): number =>
  seats === FOUR.length ? FOUR[seat]! : seat % REGIONS.length;

export const wanDelayMs = (from: number, to: number, seats: number): number =>
  ONE_WAY_MS[regionOf(from, seats)]![regionOf(to, seats)]!;

/** Of all ordered pairs of seats: the unit in which finality over such wires is told. */
export function meanDelayMs(seats: number): number {
  let sum = 0;
  for (let from = 0; from < seats; from++) {
    for (let to = 0; to < seats; to++) if (from !== to) sum += wanDelayMs(from, to, seats);
  }
  return sum / (seats * (seats - 1));
}
