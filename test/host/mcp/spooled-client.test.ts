// One intention, one signed request: crashes, lost answers, refusals and expiry between a tool and a scripted node.

import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { systemEnvironment } from '../../../host/client/environment.ts';
import { signerFromSeed } from '../../../host/client/signer.ts';
import { Spending } from '../../../host/mcp/spending.ts';
import { Spool } from '../../../host/mcp/spool.ts';
import { SpooledClient } from '../../../host/mcp/spooled-client.ts';
import { CHAIN, FakeNode } from '../client/fake-node.ts';
import { MemoryFiles } from './files.ts';

const PAID = {
  event_id: 'e',
  agent_id: 'a',
  status: 'optimistic',
  deadline: 1,
  amount: 7,
  to_agent: 'bob',
  balance: 1,
};
const NOT_FOUND = { status: 404, body: { error: 'no such event', code: 'event_not_found' } };
const nowSecs = () => Math.floor(Date.now() / 1000);

let node: FakeNode;
let files: MemoryFiles;
beforeEach(async () => {
  node = await FakeNode.start();
  files = new MemoryFiles();
  node.on('POST /v1/transfer', { body: PAID });
  node.on('GET /v1/status', { body: { chain_id: CHAIN, consensus_time: nowSecs(), order: 9 } });
});
afterEach(() => node.stop());

const signer = signerFromSeed(new Uint8Array(32).fill(3));
/** As a new process with the same files would do it. `aheadSecs`: its clock. */
async function pay({
  key = 'k',
  amount = 7,
  network = 'n1',
  aheadSecs = 0,
  spool = new Spool(files, '/s'),
} = {}) {
  const clock = { ...systemEnvironment.clock, nowMs: () => Date.now() + aheadSecs * 1000 };
  const limits = { perCallMicro: 100, perDayMicro: 100, recipients: undefined };
  const spending = new Spending({ files, folder: '/s', clock, limits });
  const client = new SpooledClient(
    {
      baseUrl: node.url,
      key: signer,
      chainId: CHAIN,
      retries: 1,
      environment: { ...systemEnvironment, clock },
    },
    { network, spool, spending },
    { tool: 'transfer', key, spendMicro: amount },
  );
  try {
    const answer = await client.transfer({ to_agent: 'bob', amount });
    return { answer, txid: client.txid, left: spending.report().left_today.micro };
  } catch (error) {
    const { code, message } = error as { code?: string; message: string };
    return { code: code ?? message, txid: client.txid, left: spending.report().left_today.micro };
  }
}

const sent = (): (string | undefined)[] => node.writes().map(({ txid }) => txid);
const eventIs = (txid: string, answer: Parameters<FakeNode['on']>[1]) =>
  node.on(`GET /v1/events/${txid}`, answer);

describe('a repeated intention', () => {
  it('is answered from the spool, without a second request', async () => {
    const first = await pay();
    expect(first).toMatchObject({ answer: PAID, left: 93 });
    expect(await pay()).toEqual(first);
    expect(sent()).toEqual([first.txid]);
  });

  it('counts once, also where it used up the day', async () => {
    const first = await pay({ amount: 100 });
    expect(first.left).toBe(0);
    expect(await pay({ amount: 100 })).toEqual(first);
  });

  it('that another process kept in the same moment is that one, and the own is given back', async () => {
    const theirs = await pay();
    const [path, text] = [...files.texts].find(([name]) => /requests\/\w+\.json$/.test(name))!;
    eventIs(theirs.txid, NOT_FOUND);
    files = new MemoryFiles();
    files.beforeWrite = (written) => {
      if (written === path) files.texts.set(path, text);
    };
    expect(await pay()).toMatchObject({ answer: PAID, txid: theirs.txid, left: 100 });
    expect(new Set(sent())).toEqual(new Set([theirs.txid]));
  });

  it('with other arguments, or in another network, is refused and sends nothing', async () => {
    await pay();
    expect((await pay({ amount: 8 })).code).toBe('idempotency_key_used');
    expect((await pay({ network: 'n2' })).code).toBe('idempotency_key_used');
    expect(sent().length).toBe(1);
  });

  it('after a crash at any write sends the same request or none before', async () => {
    for (let crashAt = 1; ; crashAt++) {
      files = new MemoryFiles();
      node.received.length = 0;
      let writes = 0;
      files.beforeWrite = () => {
        writes += 1;
        if (writes === crashAt) throw new Error('crash');
      };
      const crashed = await pay();
      files.beforeWrite = () => {};
      if (crashed.answer !== undefined) {
        expect(crashAt).toBe(4);
        return;
      }
      // The third write is the outcome: the request is out.
      expect(sent().length).toBe(crashAt < 3 ? 0 : 1);
      for (const txid of sent()) eventIs(txid!, NOT_FOUND);
      const again = await pay();
      expect(again.answer).toEqual(PAID);
      expect(new Set(sent())).toEqual(new Set([again.txid]));
      // Crashed between counting and keeping: counted twice, which is on the safe side.
      expect(again.left).toBe(crashAt === 2 ? 86 : 93);
    }
  });

  it('whose answer was lost is the same request again, or its event', async () => {
    node.on('POST /v1/transfer', { hangUp: true });
    const lost = await pay();
    expect(lost).toMatchObject({ code: 'unreachable', left: 93 });
    eventIs(lost.txid, NOT_FOUND);
    node.on('POST /v1/transfer', { body: PAID });
    const again = await pay();
    expect(again).toMatchObject({ answer: PAID, txid: lost.txid, left: 93 });
    expect(new Set(sent())).toEqual(new Set([lost.txid]));
  });

  it('that was executed is made from its event, also long after it expired', async () => {
    node.on('POST /v1/transfer', { hangUp: true });
    const lost = await pay();
    eventIs(lost.txid, {
      body: { event_id: lost.txid, agent_id: 'a', amount: 7, recipient_id: 'bob', payload: {} },
    });
    node.on('GET /v1/agents/a/balance', { body: { balance: 5 } });
    node.on('GET /v1/status', { body: { chain_id: CHAIN, consensus_time: nowSecs() + 9999, order: 9 } });
    const before = sent().length;
    expect(await pay({ aheadSecs: 9999 })).toMatchObject({
      answer: { to_agent: 'bob', amount: 7 },
      txid: lost.txid,
    });
    expect(sent().length).toBe(before);
  });

  it('that can no longer run is never signed again under its key', async () => {
    node.on('POST /v1/transfer', { hangUp: true });
    const lost = await pay();
    eventIs(lost.txid, NOT_FOUND);
    const status = (secs: number, more = {}) =>
      node.on('GET /v1/status', {
        body: { chain_id: CHAIN, consensus_time: nowSecs() + secs, order: 9, ...more },
      });
    node.on('POST /v1/transfer', { status: 400, body: { error: 'expired', code: 'tx_expired' } });
    // Expired by the clock, but by consensus time it may still run; or the node itself is behind.
    status(110);
    expect((await pay()).code).toBe('outcome_open');
    status(999, { orders_behind: 4 });
    expect((await pay()).code).toBe('outcome_open');
    status(130);
    expect((await pay()).code).toBe('not_executed');
    expect(new Set(sent())).toEqual(new Set([lost.txid]));
    expect((await pay({ key: 'k2' })).txid).not.toBe(lost.txid);
  });
});

it('a refusal of a request that was sent before leaves its outcome open', async () => {
  node.on('POST /v1/transfer', { hangUp: true });
  const lost = await pay();
  eventIs(lost.txid, NOT_FOUND);
  node.on('POST /v1/transfer', { status: 402, body: { error: 'poor', code: 'insufficient_balance' } });
  expect(await pay()).toMatchObject({ code: 'outcome_open', txid: lost.txid, left: 93 });
  node.on('POST /v1/transfer', { body: PAID });
  expect(await pay()).toMatchObject({ answer: PAID, txid: lost.txid, left: 93 });
});

describe('two calls for one intention at once', () => {
  const both = () => {
    const spool = new Spool(files, '/s');
    return Promise.all([pay({ spool }), pay({ spool })]);
  };

  it('are one request, and get one answer', async () => {
    const [first, second] = await both();
    expect(first).toMatchObject({ answer: PAID, left: 93 });
    expect(second).toEqual(first);
    expect(sent()).toEqual([first.txid]);
  });

  it('are refused together: the second is no copy of its own', async () => {
    node.on('GET /v1/events', NOT_FOUND);
    const poor = { status: 402, body: { error: 'poor', code: 'insufficient_balance' } };
    node.on('POST /v1/transfer', poor, { body: PAID });
    const [first, second] = await both();
    expect(first).toMatchObject({ code: 'insufficient_balance', left: 93 });
    expect(second).toEqual(first);
    expect(sent()).toEqual([first.txid]);
  });
});

describe('two programs with one spool, for one intention at once', () => {
  const poor = { status: 402, body: { error: 'poor', code: 'insufficient_balance' } };

  /** The second one sends its copy while the first one waits for its answer, a refusal. */
  async function both() {
    let second: ReturnType<typeof pay> | undefined;
    node.on(
      'POST /v1/transfer',
      async ({ txid }) => {
        eventIs(txid!, NOT_FOUND);
        second = pay();
        while (sent().length < 2) await new Promise((resolve) => setTimeout(resolve, 5));
        return poor;
      },
      async () => {
        while (sent().length < 3) await new Promise((resolve) => setTimeout(resolve, 5));
        return { body: PAID };
      },
      { body: PAID },
    );
    const first = await pay();
    return { first, again: await pay(), second: await second };
  }

  it('the refusal of one copy is not final while another is on its way', async () => {
    const { first, again, second } = await both();
    expect(first.code).toBe('outcome_open');
    expect(second).toMatchObject({ answer: PAID, txid: first.txid });
    expect(again).toMatchObject({ answer: PAID, txid: first.txid });
    expect(new Set(sent())).toEqual(new Set([first.txid]));
  });

  it('a copy is not sent any more where the refusal of the first came between', async () => {
    let first: ReturnType<typeof pay> | undefined;
    let refuse = () => {};
    node.on(
      'POST /v1/transfer',
      ({ txid }) => {
        eventIs(txid!, NOT_FOUND);
        return new Promise((resolve) => {
          refuse = () => resolve(poor);
        });
      },
      { body: PAID },
    );
    first = pay();
    while (sent().length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
    // The second one has read that there is no outcome, and asks the node for the event.
    eventIs(sent()[0]!, async () => {
      refuse();
      await first;
      return NOT_FOUND;
    });
    expect(await pay()).toMatchObject({ code: 'insufficient_balance', txid: (await first).txid });
    expect(sent().length).toBe(1);
  });
});

describe('a refusal', () => {
  const poor = { status: 402, body: { error: 'poor', code: 'insufficient_balance' } };

  it('that is definite stays, and gives nothing back: a node that lies has it executed all the same', async () => {
    node.on('POST /v1/transfer', poor);
    expect(await pay()).toMatchObject({ code: 'insufficient_balance', left: 93 });
    node.on('POST /v1/transfer', { body: PAID });
    expect(await pay()).toMatchObject({ code: 'insufficient_balance', left: 93 });
    expect(sent().length).toBe(1);
  });

  it('after a lost answer gives nothing back: the first copy may be on its way', async () => {
    node.on('POST /v1/transfer', { hangUp: true }, poor);
    node.on('GET /v1/events', NOT_FOUND);
    const first = await pay();
    expect(first.left).toBe(93);
    expect(files.texts.has([...files.texts.keys()].find((path) => path.endsWith('outcome.json')) ?? '')).toBe(
      false,
    );
  });

  it.each([
    ['by a limit of the node', { status: 429, body: { error: 'slow', code: 'rate_limited' } }],
    ['by a proxy', { status: 403, body: '<html>Forbidden' }],
  ])('%s is no outcome: the same request is sent again', async (_, answer) => {
    node.on('POST /v1/transfer', answer);
    const first = await pay();
    eventIs(first.txid, NOT_FOUND);
    node.on('POST /v1/transfer', { body: PAID });
    expect(await pay()).toMatchObject({ answer: PAID, txid: first.txid, left: 93 });
  });

  it('of the second copy says nothing of the first, which the node may have had though it was busy', async () => {
    node.on('POST /v1/transfer', { status: 503, body: { error: 'busy', code: 'overloaded' } }, poor);
    const first = await pay();
    expect(first.code).toBe('insufficient_balance');
    eventIs(first.txid, NOT_FOUND);
    node.on('POST /v1/transfer', { body: PAID });
    expect(await pay()).toMatchObject({ answer: PAID, txid: first.txid, left: 93 });
  });

  it('to show what became of the request is none of the request', async () => {
    const details = { executed: true, status: 201, order: 9 };
    node.on('POST /v1/transfer', async ({ txid }) => {
      eventIs(txid!, { status: 403, body: { error: 'hidden', code: 'forbidden' } });
      return { status: 409, body: { error: 'again', code: 'DUPLICATE_TX', details } };
    });
    const first = await pay();
    expect(first.code).toBe('forbidden');
    eventIs(first.txid, {
      body: { event_id: first.txid, agent_id: 'a', amount: 7, recipient_id: 'bob', payload: {} },
    });
    node.on('GET /v1/agents/a/balance', { body: { balance: 5 } });
    expect(await pay()).toMatchObject({ answer: { amount: 7, to_agent: 'bob' }, txid: first.txid });
  });

  it('by the limits sends and keeps nothing', async () => {
    expect(await pay({ amount: 101 })).toMatchObject({ code: 'spending_limit', left: 100 });
    expect(sent()).toEqual([]);
    expect(files.texts.size).toBe(0);
  });
});

describe('what is kept', () => {
  it('is for its owner alone', async () => {
    await pay();
    expect(files.modes.size).toBe(3);
    expect(new Set(files.modes.values())).toEqual(new Set([0o600]));
  });

  it('is short: the event tells what a long answer said, and a refusal goes without its details', () => {
    const spool = new Spool(files, '/s');
    const long = 'x'.repeat(65_536);
    spool.finish('done', { content: long });
    expect(spool.outcome('done')).toBeUndefined();
    const error = { status: 402, code: 'insufficient_balance', message: 'poor' };
    expect(spool.refuse('refused', { ...error, details: { long } })).toBe(true);
    expect(spool.outcome('refused')).toEqual({ kind: 'refused', error });
  });
});
