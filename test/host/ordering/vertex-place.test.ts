import { describe, expect, it } from 'vitest';
import { placeRow, readPlace, type VertexPlace } from '../../../host/ordering/vertex-place.ts';

const ids = [1, 2].map((n) => ({ id: new Uint8Array(32).fill(n) }));

describe('the place of a vertex', () => {
  it('comes back as it was stored', () => {
    const place: VertexPlace = {
      order: 2 ** 40 + 5,
      timeMs: 2 ** 47 + 1,
      round: 2 ** 32 - 1,
      txIds: ['01'.repeat(32), '02'.repeat(32)],
    };
    expect(readPlace(placeRow(place.order!, place.timeMs, place.round, ids))).toEqual(place);
  });

  it('of a dead vertex has a round and no order', () => {
    expect(readPlace(placeRow(0, 0, 77, []))).toEqual({ order: undefined, timeMs: 0, round: 77, txIds: [] });
  });
});
