// Refusals that a browser does not log: for who asks, and nobody else.

import { expect, it } from 'vitest';
import { softened } from '../../../host/api/soft-refusals.ts';

const asking = { header: (name: string) => (name === 'x-service-soft-refusals' ? '1' : undefined) };
const others = { header: () => undefined };
const refusal = (status: number) => ({ status, headers: { 'X-Service-Order': '7' }, body: '{"code":"x"}' });

it('come with status 200 and their own beside it', () => {
  for (const status of [400, 404, 410])
    expect(softened(asking, refusal(status))).toEqual({
      status: 200,
      headers: { 'X-Service-Order': '7', 'X-Service-Status': String(status) },
      body: '{"code":"x"}',
    });
});

it('stay what they are for others, and where the node itself is in trouble', () => {
  expect(softened(others, refusal(404)).status).toBe(404);
  for (const status of [200, 304, 429, 500, 503]) {
    const reply = refusal(status);
    expect(softened(asking, reply)).toBe(reply);
  }
});
