// The status that a node reports: its position, and how far it is behind while it catches up.

import { expect, it } from 'vitest';
import type { ReadContext } from '../../../host/api/context.ts';
import { status } from '../../../host/api/handlers/network.ts';
import { readHistory } from '../../../host/store/history.ts';
import { genesisOf, openParts } from '../one-node/harness.ts';

it('reports how far others are ahead, only while it catches up', async () => {
  const parts = await openParts();
  const { ids } = parts;
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
      history: () => readHistory(parts.store),
      isUnarchived: () => false,
      readiness: () => ({ isReady: false, reasons: ['it catches up with its peers'] }),
      ordersBehind: () => ordersBehind,
    } as unknown as ReadContext).body;
  expect(bodyOf(1200)).toMatchObject({
    order: ids.state.header().order,
    orders_behind: 1200,
    not_ready: ['it catches up with its peers'],
  });
  expect(bodyOf(undefined)).not.toHaveProperty('orders_behind');
});
