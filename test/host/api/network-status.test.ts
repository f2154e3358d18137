// What a node says of itself: where it stands, and how far it has to go while it catches up.

import { expect, it } from 'vitest';
import type { ReadContext } from '../../../host/api/context.ts';
import { status } from '../../../host/api/handlers/network.ts';
import { genesisOf, openParts } from '../one-node/harness.ts';

it('tells how far others are ahead, and only while it catches up', async () => {
  const { ids } = await openParts();
  const bodyOf = (ordersBehind: number | undefined): unknown =>
    status({
      state: ids.state,
      ids,
      seat: 0,
      genesis: genesisOf(),
      totals: { vertices: 0 },
      pending: { size: 0 },
      uptimeSecs: () => 0,
      peers: () => [],
      ordersBehind: () => ordersBehind,
    } as unknown as ReadContext).body;
  expect(bodyOf(1200)).toMatchObject({ order: ids.state.header().order, orders_behind: 1200 });
  expect(bodyOf(undefined)).not.toHaveProperty('orders_behind');
});
