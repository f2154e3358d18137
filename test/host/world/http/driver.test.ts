// Both HTTP drivers under one contract, and what applies to only one of them.

import { describe, expect, it } from 'vitest';
import type { HttpService } from '../../../../host/world/http.ts';
import { createDriver } from '../../../../host/world/system/http/driver.ts';
import { createNodeDriver } from '../../../../host/world/system/http/driver-node.ts';
import { addressText } from '../../../../host/world/system/http/driver-rules.ts';
import { createUwsDriver } from '../../../../host/world/system/http/driver-uws.ts';
import { driverContract, ManualClock } from './driver.contract.ts';
import { driverStreamContract } from './driver-stream.contract.ts';

driverContract('node', async (service, clock) => createNodeDriver(service, clock));
driverContract('uws', createUwsDriver);
driverStreamContract('node', async (service, clock) => createNodeDriver(service, clock));
driverStreamContract('uws', createUwsDriver);

const quiet: HttpService = {
  maxBodyBytes: () => 100,
  admit: () => undefined,
  refusal: () => ({ status: 400, headers: {}, body: '' }),
  upgrade: () => undefined,
  handle: (_request, reply) => reply({ status: 200, headers: {}, body: 'ok' }),
};

describe('addresses as text', () => {
  it('IPv4, mapped and shortened IPv6', () => {
    expect(addressText(Uint8Array.of(192, 0, 2, 1))).toBe('192.0.2.1');
    const v6 = (text: string) => Uint8Array.from(Buffer.from(text.replaceAll(':', ''), 'hex'));
    expect(addressText(v6('0000:0000:0000:0000:0000:ffff:c000:0201'))).toBe('192.0.2.1');
    expect(addressText(v6('2001:0db8:0000:0000:0001:0000:0000:0000'))).toBe('2001:db8:0:0:1::');
    expect(addressText(v6('0000:0000:0000:0000:0000:0000:0000:0001'))).toBe('::1');
    expect(addressText(v6('2001:0db8:0000:0001:0002:0003:0004:0005'))).toBe('2001:db8:0:1:2:3:4:5');
  });
});

describe('choice of the driver', () => {
  it('uses the configured one', async () => {
    const clock = new ManualClock();
    expect((await createDriver(quiet, 'node', { clock })).name).toBe('node');
    expect((await createDriver(quiet, 'uws', { clock })).name).toBe('uws');
    expect((await createDriver(quiet, 'auto', { clock })).name).toBe('uws');
  });
});
