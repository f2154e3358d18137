import { expect, it } from 'vitest';
import { signatureOf } from '../../../host/webhooks/signature.ts';

it('has the vector of protocol 10', () => {
  expect(signatureOf('whsec', 1_800_000_000, '{"event":"ping"}')).toBe(
    't=1800000000,v1=739730c2f8430c80686d7fc84b2f770f86bb497c88b47640fd67e8e34eb11476',
  );
});
