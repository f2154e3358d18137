// What a program knows of a write whose answer did not come: the request to send again, and what became of it.

import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { signerFromSeed, systemEnvironment, VwsClient, type VwsError } from '../../../host/client/index.ts';
import type { SignedRequest } from '../../../host/client/signed-request.ts';
import { CHAIN, FakeNode } from './fake-node.ts';

let node: FakeNode;
let client: VwsClient;
beforeEach(async () => {
  node = await FakeNode.start();
  client = new VwsClient({
    baseUrl: node.url,
    key: signerFromSeed(new Uint8Array(32).fill(7)),
    retries: 1,
    environment: { ...systemEnvironment, clock: { ...systemEnvironment.clock, setTimer: soon } },
  });
});
afterEach(() => node.stop());

/** Pauses end at once; the deadline of a request stays. */
const soon = (fn: () => void, ms: number) => systemEnvironment.clock.setTimer(fn, ms > 5_000 ? ms : 0);
const PAY = { to_agent: 'bob', amount: 5 };
const failure = (): Promise<VwsError> =>
  client.transfer(PAY).then(
    () => expect.unreachable(),
    (error) => error,
  );
const missing = { status: 404, body: { error: 'no such event', code: 'event_not_found' } };

describe('an error of a write', () => {
  it.each([
    ['a broken connection', { hangUp: true }, 'unreachable'],
    ['no quorum', { status: 503, body: { error: 'x', code: 'no_quorum' } }, 'no_quorum'],
    ['the page of a proxy', { status: 502, body: '<html>Bad Gateway' }, 'bad_answer'],
  ])('has the request after %s, and sending it is the same transaction', async (_, answer, code) => {
    node.on('POST /v1/transfer', answer);
    const error = await failure();
    expect(error.code).toBe(code);
    expect(error.request?.txid).toBe(error.txid);
    node.on('POST /v1/transfer', ({ txid }) => ({ status: 201, body: { event_id: txid } }));
    expect(await client.submit(error.request!)).toEqual({ event_id: error.txid });
    expect(new Set(node.writes().map(({ txid }) => txid)).size).toBe(1);
  });

  it.each([
    [403, 'trust_limit_exceeded'],
    [503, 'overloaded'],
  ])('has none when nothing can have run: %s %s', async (status, code) => {
    node.on('POST /v1/transfer', { status, body: { error: 'x', code } });
    const error = await failure();
    expect([error.code, error.request]).toEqual([code, undefined]);
  });
});

describe('a request that was sent before', () => {
  const refused = { status: 403, body: { error: 'x', code: 'trust_limit_exceeded' } };
  it.each([
    ['by an earlier call', (request: SignedRequest) => client.submit(request).catch(() => {})],
    ['in a batch', (request: SignedRequest) => client.batch([request])],
  ])('%s stays open when a copy of it is refused', async (_, send) => {
    const request = await client.prepare('POST', '/v1/transfer', PAY);
    node.on('POST /v1/transfer', { hangUp: true });
    node.on('POST /v1/batch', { body: { results: [{ status: 503, body: { code: 'no_quorum' } }] } });
    node.on(`GET /v1/events/${request.txid}`, missing);
    await send(request);
    node.on('POST /v1/transfer', refused);
    await expect(client.submit(request)).rejects.toMatchObject({ code: 'trust_limit_exceeded', request });
  });
});

describe('the fate of a request', () => {
  it('is not never because it was executed while the client asked', async () => {
    const request = await client.prepare('POST', '/v1/transfer', PAY);
    const at = `GET /v1/events/${request.txid}`;
    node.on(at, missing);
    node.on('GET /v1/status', () => {
      node.on(at, { body: { event_id: request.txid } });
      return { body: { chain_id: CHAIN, consensus_time: request.expiresAt + 61 } };
    });
    expect(await client.fate(request)).toMatchObject({ kind: 'executed' });
  });

  it('is executed, open, or never', async () => {
    const request = await client.prepare('POST', '/v1/transfer', PAY);
    const at = `GET /v1/events/${request.txid}`;
    const shows = (consensus_time: number, more = {}) =>
      node.on('GET /v1/status', { body: { chain_id: CHAIN, consensus_time, ...more } });
    shows(request.expiresAt + 60);
    node.on(at, missing);
    expect(await client.fate(request)).toEqual({ kind: 'open' });
    shows(request.expiresAt + 61, { orders_behind: 3 });
    expect(await client.fate(request)).toEqual({ kind: 'open' });
    shows(request.expiresAt + 61);
    expect(await client.fate(request)).toEqual({ kind: 'never' });
    node.on(at, { body: { event_id: request.txid } });
    expect(await client.fate(request)).toEqual({ kind: 'executed', event: { event_id: request.txid } });
  });
});
