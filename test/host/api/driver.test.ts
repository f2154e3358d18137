// Both HTTP drivers under the one contract, and what only one of them has to prove.

import { describe, expect, it } from 'vitest';
import { createDriver } from '../../../host/api/driver.ts';
import { createNodeDriver } from '../../../host/api/driver-node.ts';
import { createUwsDriver } from '../../../host/api/driver-uws.ts';
import type { HttpService } from '../../../host/api/http.ts';
import { driverContract, ManualClock } from './driver.contract.ts';

driverContract('node', async (service, clock) => createNodeDriver(service, clock));
driverContract('uws', createUwsDriver);

const quiet: HttpService = {
  maxBodyBytes: () => 100,
  refusal: () => ({ status: 400, headers: {}, body: '' }),
  handle: (_request, reply) => reply({ status: 200, headers: {}, body: 'ok' }),
};

describe('choice of the driver', () => {
  it('takes the one asked for', async () => {
    const clock = new ManualClock();
    expect((await createDriver(quiet, 'node', { clock })).name).toBe('node');
    expect((await createDriver(quiet, 'uws', { clock })).name).toBe('uws');
    expect((await createDriver(quiet, 'auto', { clock })).name).toBe('uws');
  });
});
