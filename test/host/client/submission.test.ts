import { describe, expect, it } from 'vitest';
import type { SignedRequest } from '../../../host/client/signed-request.ts';
import { submit } from '../../../host/client/submission.ts';
import type { Reply } from '../../../host/client/transport.ts';
import { VwsError } from '../../../host/client/vws-error.ts';

const REQUEST: SignedRequest = {
  method: 'POST',
  path: '/v1/stake',
  headers: {},
  body: '{}',
  txid: 'ab'.repeat(32),
  expiresAt: 0,
};
const EVENT = { event_id: REQUEST.txid };

const reply = (status: number, code?: string, more: Partial<Reply> & { details?: object } = {}): Reply => ({
  status,
  body: code ? { error: code, code, details: more.details } : { ok: true },
  order: undefined,
  total: undefined,
  isBehind: false,
  retryAfterSecs: more.retryAfterSecs,
});
const lost = () => new VwsError({ status: 0, code: 'unreachable', message: 'gone' });

/**
 * Plays the outcomes in turn and records what was sent and the waiting times. `event`: the one found, or the error. `wasSent`: the
 * request is of an earlier call. `lapsed`: it can never run any more, or the error of finding that out.
 */
function play(
  outcomes: readonly (Reply | VwsError)[],
  event?: unknown,
  { wasSent = false, lapsed = false }: { wasSent?: boolean; lapsed?: boolean | VwsError } = {},
) {
  const sent: SignedRequest[] = [];
  const pauses: number[] = [];
  const result = submit(
    {
      async send(request) {
        const outcome = outcomes[sent.length];
        sent.push(request);
        if (outcome === undefined) throw new Error('sent too often');
        if (outcome instanceof Error) throw outcome;
        return outcome;
      },
      async findEvent() {
        if (event instanceof Error) throw event;
        return event;
      },
      async hasLapsed() {
        if (lapsed instanceof Error) throw lapsed;
        return lapsed;
      },
      sleep: async (ms) => void pauses.push(ms),
      retries: 3,
    },
    REQUEST,
    wasSent,
  );
  return { result, sent, pauses };
}

describe('submitting a signed write', () => {
  it('takes the first success', async () => {
    const { result, sent } = play([reply(201)]);
    expect(await result).toMatchObject({ kind: 'answered', reply: { status: 201 } });
    expect(sent).toHaveLength(1);
  });

  it('resends the same request after a lost connection', async () => {
    const { result, sent } = play([lost(), reply(200)]);
    expect((await result).kind).toBe('answered');
    expect(sent[1]).toBe(sent[0]);
  });

  it.each(['no_quorum', 'not_ready', 'overloaded', 'behind'])(
    'waits as long as Retry-After says on 503 %s',
    async (code) => {
      const { result, pauses } = play([reply(503, code, { retryAfterSecs: 2 }), reply(200)]);
      expect((await result).kind).toBe('answered');
      expect(pauses).toEqual([2000]);
    },
  );

  it('never waits longer than five seconds', async () => {
    const { result, pauses } = play([reply(503, 'not_ready', { retryAfterSecs: 3600 }), reply(200)]);
    await result;
    expect(pauses).toEqual([5000]);
  });

  it.each([
    [503, 'faucet_empty'],
    [402, 'insufficient_balance'],
    [429, 'rate_limited'],
    [400, 'tx_expired'],
  ])('does not repeat what was refused: %s %s', async (status, code) => {
    const { result, sent } = play([reply(status, code)]);
    await expect(result).rejects.toMatchObject({ status, code, txid: REQUEST.txid });
    expect(sent).toHaveLength(1);
  });

  it.each([false, true])('says when a refused one may come again; sent before: %s', async (wasSent) => {
    const refused = reply(429, 'rate_limited', { retryAfterSecs: 3590 });
    const { result } = play([refused], undefined, { wasSent });
    await expect(result).rejects.toMatchObject({ code: 'rate_limited', retryAfterSecs: 3590 });
  });

  it('counts a duplicate of the executed transaction as success', async () => {
    const duplicate = reply(409, 'DUPLICATE_TX', { details: { executed: true, status: 201, order: 7 } });
    expect(await play([lost(), duplicate], EVENT).result).toEqual({ kind: 'executed', event: EVENT });
  });

  it('waits for a first request that is still pending', async () => {
    const waiting = reply(409, 'DUPLICATE_TX', { details: { executed: false } });
    const { result, sent } = play([lost(), waiting, reply(200)]);
    expect((await result).kind).toBe('answered');
    expect(sent).toHaveLength(3);
  });

  it('reports an executed transaction that was refused', async () => {
    const duplicate = reply(409, 'DUPLICATE_TX', { details: { executed: true, status: 402, order: 7 } });
    await expect(play([lost(), duplicate]).result).rejects.toMatchObject({
      status: 402,
      code: 'DUPLICATE_TX',
    });
  });

  it.each([
    [409, 'already_registered'],
    [400, 'tx_expired'],
    [429, 'rate_limited'],
  ])('looks for the event when a repetition gets %s %s', async (status, code) => {
    expect((await play([lost(), reply(status, code)], EVENT).result).kind).toBe('executed');
    await expect(play([lost(), reply(status, code)], undefined).result).rejects.toMatchObject({ code });
  });

  it('names the transaction when the event cannot be read', async () => {
    const duplicate = reply(409, 'DUPLICATE_TX', { details: { executed: true, status: 201, order: 7 } });
    const { result } = play([lost(), duplicate], lost());
    await expect(result).rejects.toMatchObject({ code: 'unreachable', txid: REQUEST.txid });
  });

  it.each([
    ['executed', { executed: true }],
    ['executed with status 201', { executed: true, status: 201, order: 7 }],
  ])('does not call a duplicate refused that this node only knows as %s', async (_, details) => {
    const { result } = play([reply(409, 'DUPLICATE_TX', { details })]);
    await expect(result).rejects.toMatchObject({ status: 409, code: 'DUPLICATE_TX', request: REQUEST });
    await expect(result).rejects.toThrow(/executed before.*does not have its event/);
  });

  it.each([
    [402, 'insufficient_balance'],
    [429, 'rate_limited'],
    [400, 'tx_expired'],
  ])(
    'keeps the outcome of a request that was sent before open when a copy gets %s %s',
    async (status, code) => {
      const open = play([reply(status, code)], undefined, { wasSent: true });
      await expect(open.result).rejects.toMatchObject({ code, request: REQUEST });
      expect((await play([reply(status, code)], EVENT, { wasSent: true }).result).kind).toBe('executed');
    },
  );

  it('is certain of an expired request once the order has passed its time', async () => {
    const { result } = play([lost(), reply(400, 'tx_expired')], undefined, { lapsed: true });
    const error = await result.catch((caught: VwsError) => caught);
    expect(error).toMatchObject({ code: 'tx_expired', txid: REQUEST.txid, request: undefined });
  });

  it('is not certain of an expired request where the order cannot be read', async () => {
    const { result } = play([lost(), reply(400, 'tx_expired')], undefined, { lapsed: lost() });
    await expect(result).rejects.toMatchObject({ code: 'tx_expired', request: REQUEST });
  });

  it.each(['not_ready', 'overloaded', 'behind'])('is certain of a refusal after 503 %s', async (code) => {
    const { result } = play([reply(503, code), reply(402, 'insufficient_balance')], EVENT);
    await expect(result).rejects.toMatchObject({ code: 'insufficient_balance', request: undefined });
  });

  it('does not look for the event if nothing can have run', async () => {
    const { result } = play([reply(409, 'already_registered')], EVENT);
    await expect(result).rejects.toMatchObject({ code: 'already_registered' });
  });

  it('gives up after its retries, naming the transaction', async () => {
    const { result, sent } = play([lost(), lost(), lost(), lost()]);
    await expect(result).rejects.toMatchObject({ code: 'unreachable', txid: REQUEST.txid });
    expect(sent).toHaveLength(4);
  });

  it('treats an unreadable success as a lost answer', async () => {
    const unreadable = new VwsError({ status: 200, code: 'bad_answer', message: 'not JSON' });
    const duplicate = reply(409, 'DUPLICATE_TX', { details: { executed: true, status: 200, order: 1 } });
    expect((await play([unreadable, duplicate], EVENT).result).kind).toBe('executed');
  });

  it.each([
    [500, 'internal'],
    [502, 'upstream_failed'],
    [504, 'GATEWAY_TIMEOUT'],
  ])('leaves open what broke on the way back: %s %s', async (status, code) => {
    const duplicate = reply(409, 'DUPLICATE_TX', { details: { executed: true, status: 201, order: 7 } });
    expect((await play([reply(status, code), duplicate], EVENT).result).kind).toBe('executed');
    const { result, sent } = play(Array.from({ length: 4 }, () => reply(status, code)));
    await expect(result).rejects.toMatchObject({ status, code, request: REQUEST });
    expect(sent).toHaveLength(4);
  });

  it('does not take a write to a reader for one that may have run', async () => {
    const { result } = play([reply(501, 'ask_a_node')]);
    await expect(result).rejects.toMatchObject({ code: 'ask_a_node', request: undefined });
  });

  it('passes on its own faults', async () => {
    const result = submit(
      {
        send: async () => {
          throw new TypeError('bug');
        },
        findEvent: async () => undefined,
        hasLapsed: async () => false,
        sleep: async () => {},
        retries: 3,
      },
      REQUEST,
      false,
    );
    await expect(result).rejects.toThrow(TypeError);
  });
});
