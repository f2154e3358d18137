import { beforeAll, describe, expect, it } from 'vitest';
import type { Kind } from '../../../host/audit/index.ts';
import { keyPairFromSeed } from '../../../host/crypto/key-pair.ts';
import { decodeMessage, encodeMessage } from '../../../host/net/messages.ts';
import { utf8 } from '../../../host/wire/bytes.ts';
import { Giver } from '../net/join-world.ts';
import { seedOf } from '../one-node/harness.ts';
import {
  agentKey,
  answer,
  BALANCE,
  begin,
  both,
  giver,
  id,
  kindsOf,
  nodeThat,
  open,
  rowsAt,
  task,
  verdictOn,
} from './auditors.ts';
import { type Alter, bytesAt, jsonAt } from './giver-node.ts';
import { PlainStore } from './giver-source.ts';

beforeAll(begin);

describe('an honest node', () => {
  it('is checked, down to the last member of each document', async () => {
    const v = await open(nodeThat());
    const verdict = await v.run();
    expect(verdict).toMatchObject({
      isGood: true,
      shown: 'checked',
      findings: [],
      stateRoot: giver.stateRoot,
    });
    expect(verdict.timeMs).toBe(giver.parts.ids.state.header().timeMs);
    expect(verdict.checkpointCode).toMatch(/^([0-9A-HJKMNP-TV-Z]{4}-){7}[0-9A-HJKMNP-TV-Z]{4}$/);
    expect(await v.compare('agent', id)).toMatchObject({ shown: 'checked', order: verdict.order });
    expect(await v.compare('task', task)).toMatchObject({ shown: 'checked' });
    expect(await v.compare('agent', 'ab'.repeat(32))).toMatchObject({ shown: 'checked' });
  });

  it('is not accused from a seal on, and nothing there is called checked', async () => {
    const v = await open(nodeThat(), { way: 'checkpoint' });
    expect(await v.run()).toMatchObject({ isGood: true, shown: 'proven', findings: [] });
    expect(await v.compare('agent', id)).toMatchObject({ shown: 'proven' });
    expect(await v.compare('task', task)).toMatchObject({ shown: 'proven' });
  });

  it('that joined later has no epoch 0: a finding, and it can be audited from its seal', async () => {
    const joined: Alter = (path, given) =>
      /vertices\?epoch=[01]&/.test(path) ? { ...given, status: 404 } : undefined;
    const verdict = await verdictOn(joined);
    expect(verdict.isGood).toBe(true);
    expect(kindsOf(verdict)).toContain('pruned');
    expect((await answer(nodeThat(joined))).shown).toBe('not_comparable');
    expect(await verdictOn(joined, { way: 'checkpoint' })).toMatchObject({ isGood: true, findings: [] });
  });

  it('that has replaced its state while it was fetched is asked for the newer one', async () => {
    let count = 0;
    const replaced = bytesAt(/^\/v1\/log\/state/, (bytes) => {
      const message = decodeMessage(bytes);
      count += 1;
      return message?.type === 'fetched' && count === 2
        ? encodeMessage({ ...message, part: 'gone', rows: new Uint8Array(0) })
        : bytes;
    });
    expect(await verdictOn(replaced, { way: 'checkpoint' })).toMatchObject({ isGood: true, findings: [] });
  });

  it('that answers without X-Service-Order, refuses, or moves on between all questions is not comparable', async () => {
    const silent = nodeThat((path, given) =>
      BALANCE.test(path) ? { ...given, order: undefined } : undefined,
    );
    expect(await answer(silent)).toMatchObject({ shown: 'not_comparable' });
    const refusing = nodeThat((path, given) => (BALANCE.test(path) ? { ...given, status: 403 } : undefined));
    expect(await answer(refusing)).toMatchObject({
      shown: 'not_comparable',
      text: expect.stringContaining('403'),
    });
    const moving = nodeThat((path, given) =>
      BALANCE.test(path) ? { ...given, order: String(Number(given.order) - 1) } : undefined,
    );
    expect(await answer(moving)).toMatchObject({ shown: 'not_comparable' });
  });
});

describe('A1: rows that the node gives at a seal', () => {
  const forged = (text: string): string => text.replace(/"budget":\d+/, '"budget":777000000');

  it('are under the signed root: altered, with a document to match, they are a lie before anything is asked', async () => {
    const lie = both(
      rowsAt('x', forged),
      jsonAt(/^\/v1\/tasks\//, (doc: object) => ({ ...doc, budget: 777000000 })),
    );
    expect(await verdictOn(lie, { way: 'checkpoint' })).toMatchObject({ fault: { kind: 'state' } });
  });

  it('of open events are, too', async () => {
    const lie = rowsAt('q', (text) => text.replace(/"amount":\d+/, '"amount":777000000'));
    expect(await verdictOn(lie, { way: 'checkpoint' })).toMatchObject({ fault: { kind: 'state' } });
  });

  it('that are true contradict a false document, of whatever node', async () => {
    const store = new PlainStore();
    const first = await open(nodeThat(), { way: 'checkpoint', store });
    await first.run();
    await first.close();
    const lie = jsonAt(/^\/v1\/tasks\//, (doc: object) => ({ ...doc, budget: 777000000 }));
    const other = await open(nodeThat(lie), { way: 'checkpoint', store, name: 'http://other' });
    expect(await other.compare('task', task)).toMatchObject({
      shown: 'lie',
      text: expect.stringContaining('777000000'),
    });
  });
});

describe('A2: a text that was altered at the seal', () => {
  it('is refused before it can change how later work is judged', async () => {
    const own = await Giver.make();
    const poster = agentKey(1);
    const body = { title: 'Harbour traffic of June', description: 'Count vessels', budget: 10_000_000 };
    await own.write(poster, '/v1/tasks', body);
    // On to the next seal: the open task is from before it.
    const { number } = own.parts.ordering.epoch;
    for (let n = 0; own.parts.ordering.epoch.number === number; n++)
      await own.write(keyPairFromSeed(seedOf(100 + n)), '/v1/agents', {});
    // Whoever starts from the seal has something to execute.
    await own.write(keyPairFromSeed(seedOf(99)), '/v1/agents', {});
    const poisoned = rowsAt('x', (text) => text.replace('Count vessels', 'Count cars'));
    const opening = open(nodeThat(poisoned, own), { way: 'checkpoint' });
    await expect(opening).rejects.toMatchObject({ name: 'LogFault', kind: 'state' });
    // The same state without the change is good.
    expect((await (await open(nodeThat(undefined, own), { way: 'checkpoint' })).run()).shown).toBe('proven');
  });
});

describe('A3: an answer at an order that was not computed', () => {
  const rich = jsonAt(BALANCE, (doc: object) => ({ ...doc, balance: 1e15 }));
  const at = (order: string | undefined): Alter =>
    both(rich, (path, given) => (BALANCE.test(path) ? { ...given, order } : given));

  it.each([
    ['absent', undefined, 'not_comparable'],
    ['ahead', '99999999', 'lie'],
    ['behind', '1', 'not_comparable'],
    ['no number', 'NaN', 'lie'],
    ['negative', '-1', 'lie'],
    ['a fraction', '1.5', 'lie'],
    ['zero', '0', 'not_comparable'],
  ])('%s: is never true', async (_, order, shown) => {
    expect(await answer(nodeThat(at(order)))).toMatchObject({ shown, text: expect.any(String) });
  });

  it('at the true order it is a lie', async () => {
    expect(await answer(nodeThat(rich))).toMatchObject({
      shown: 'lie',
      text: expect.stringContaining('balance'),
    });
  });
});

describe('A8: an account that does not exist', () => {
  const INVENTED = {
    agent_id: 'ab'.repeat(32),
    currency: 'TOK',
    balance: 1e15,
    staked_amount: 0,
    reserved: 0,
  };
  const invented =
    (order?: string): Alter =>
    (path, given) =>
      BALANCE.test(path)
        ? { status: 200, body: utf8(JSON.stringify(INVENTED)), order: order ?? given.order }
        : undefined;

  it('is a lie at the order that was computed, and never true at another', async () => {
    const absent = 'ab'.repeat(32);
    const told = await answer(nodeThat(invented()), 'agent', absent);
    expect(told).toMatchObject({ shown: 'lie', text: expect.stringContaining('does not exist') });
    expect((await answer(nodeThat(invented('1')), 'agent', absent)).shown).toBe('not_comparable');
    const silent: Alter = (path, given) => {
      const lie = invented()(path, given);
      return lie && { ...lie, order: undefined };
    };
    expect((await answer(nodeThat(silent), 'agent', absent)).shown).toBe('not_comparable');
  });

  it('that exists, and is denied, is a lie', async () => {
    const denied: Alter = (path, given) => (BALANCE.test(path) ? { ...given, status: 404 } : undefined);
    expect(await answer(nodeThat(denied))).toMatchObject({
      shown: 'lie',
      text: expect.stringContaining('not exist'),
    });
  });
});

describe('A7: members of a document', () => {
  it('are compared on both sides: invented, dropped, changed', async () => {
    const v = (alter: (doc: Record<string, unknown>) => unknown, path: RegExp) =>
      nodeThat(jsonAt(path, alter));
    for (const [kind, of, path, alter] of [
      ['agent', id, BALANCE, (d) => ({ ...d, reserved: 5 })],
      ['agent', id, BALANCE, (d) => ({ ...d, currency: 'USD' })],
      ['agent', id, BALANCE, ({ currency: _, ...d }) => d],
      ['agent', id, BALANCE, (d) => ({ ...d, bonus: 1 })],
      ['agent', id, BALANCE, () => null],
      ['agent', id, BALANCE, (d) => [d]],
      ['task', task, /^\/v1\/tasks\//, (d) => ({ ...d, escrow_locked_to: 'mallory' })],
      ['task', task, /^\/v1\/tasks\//, (d) => ({ ...d, title: '\ud800' })],
    ] as [Kind, string, RegExp, (d: Record<string, unknown>) => unknown][]) {
      const compared = await answer(v(alter, path), kind, of);
      expect(compared, alter.toString()).toMatchObject({ shown: 'lie', text: expect.any(String) });
    }
  });
});
