// A node that does not show the content of a result: nobody takes that for a lie, and nothing can be lied about under its cover.

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import type { ReadContext } from '../../../host/api/context.ts';
import { result } from '../../../host/api/handlers/tasks.ts';
import { ServiceError } from '../../../host/errors.ts';
import { HiddenContent } from '../../../host/node/hidden-content.ts';
import { hiddenMark, NOTHING_HIDDEN } from '../../../host/views/hidden.ts';
import { taskObject } from '../../../host/views/tasks/task-view.ts';
import { fromHex } from '../../../host/wire/bytes.ts';
import { sha256Hex } from '../../../host/wire/hash.ts';
import { systemFiles } from '../../../host/world/system/files.ts';
import { scratch, vws } from '../cli/harness.ts';
import { FakeClock } from '../one-node/harness.ts';
import { begin, giver, nodeThat, open, task } from './auditors.ts';
import { type Alter, jsonAt } from './giver-node.ts';

const CONTENT = 'Vessels of May: 212, all counted.';
const HASH = sha256Hex(new TextEncoder().encode(CONTENT));
const hidden = { ...NOTHING_HIDDEN, has: (hash: string | undefined) => hash === HASH };
beforeAll(begin);

/** What an auditor says of the task at a node that hides its content. */
async function compared(alter: Alter = () => undefined) {
  const node = Object.assign(nodeThat(alter), { hidden });
  return (await open(node)).compare('task', task);
}

describe('a node that hides a content', () => {
  it('is not called a liar for it', async () => {
    expect(await compared()).toMatchObject({
      shown: 'not_comparable',
      text: 'its content is hidden by this node; all else agrees',
    });
    expect(await (await open(nodeThat())).compare('task', task)).toMatchObject({ shown: 'checked' });
  });

  it('is called one for anything else in the same answer', async () => {
    const other = jsonAt(/\/v1\/tasks\//, (body: Record<string, unknown>) => ({
      ...body,
      result_hash: 'ab',
    }));
    expect(await compared(other)).toMatchObject({ shown: 'lie', text: expect.stringContaining('result') });
    const both = jsonAt(/\/v1\/tasks\//, (body: Record<string, unknown>) => ({
      ...body,
      result_content: 'x',
    }));
    expect((await compared(both)).shown).toBe('lie');
  });

  it('answers 451 for the result', () => {
    const c = { store: giver.parts.store, hidden } as unknown as ReadContext;
    const ask = () => result(c, { path: { id: task }, query: {}, page: { number: 1, size: 1, offset: 0 } });
    const error = (() => {
      try {
        return ask();
      } catch (found) {
        return found as ServiceError;
      }
    })();
    expect(error).toBeInstanceOf(ServiceError);
    expect(error).toMatchObject({ status: 451, code: 'content_hidden' });
    c.hidden = NOTHING_HIDDEN;
    expect(ask().body).toMatchObject({ result_content: CONTENT, result_hash: HASH });
  });
});

describe('a node that hides a text', () => {
  const title = 'Count the vessels';
  const mark = hiddenMark(sha256Hex(new TextEncoder().encode(title)));
  const shown = (text: unknown): Alter =>
    jsonAt(/\/v1\/tasks\//, (body: Record<string, unknown>) => ({ ...body, title: text }));

  it('shows its hash instead, in every answer, at any depth', () => {
    const data = scratch();
    const log = { debug() {}, info() {}, warn() {}, error() {} };
    const files = new HiddenContent({ files: systemFiles, clock: new FakeClock() }, data, log);
    const value = { title, tags: ['a', title], title_hash: 1, nested: { note: `${title}!` } };
    expect(files.json(value)).toBe(JSON.stringify(value));
    const hash = sha256Hex(new TextEncoder().encode(title));
    writeFileSync(join(data, 'hidden_content.json'), JSON.stringify({ hidden: [hash] }));
    const later = new HiddenContent({ files: systemFiles, clock: new FakeClock() }, data, log);
    expect(JSON.parse(later.json(value))).toEqual({ ...value, title: mark, tags: ['a', mark] });
    expect([files.version, later.version]).toEqual([0, 1]);
  });

  it('is not called a liar for it, but for a mark of anything else', async () => {
    const own = String(taskObject(giver.parts.store, fromHex(task)!)!.title);
    const right = hiddenMark(sha256Hex(new TextEncoder().encode(own)));
    expect(await compared(shown(right))).toMatchObject({ shown: 'not_comparable' });
    expect(await compared(shown(mark))).toMatchObject({
      shown: 'lie',
      text: expect.stringContaining('title'),
    });
    expect((await compared(shown('[hidden]'))).shown).toBe('lie');
  });
});

describe('vws content', () => {
  it('hides and shows at a running node, and keeps the last list when the file is damaged', async () => {
    const data = scratch();
    const clock = new FakeClock();
    const lines: unknown[] = [];
    const log = { debug() {}, info() {}, warn() {}, error: (fields: unknown) => void lines.push(fields) };
    let now = 0;
    const world = { files: systemFiles, clock: Object.assign(clock, { monotonicMs: () => now }) };
    const content = new HiddenContent(world, data, log);
    const later = (): boolean => {
      now += 2000;
      return content.has(HASH);
    };
    expect(later()).toBe(false);
    expect((await vws(['content', 'hide', HASH, '--data', data])).out).toBe('Hidden: 1');
    expect((await vws(['content', 'hide', HASH.toUpperCase(), '--data', data])).out).toBe('Hidden: 1');
    expect([content.has(HASH), later(), content.has(undefined)]).toEqual([false, true, false]);
    expect((await vws(['content', 'list', '--data', data])).out).toBe(HASH);
    writeFileSync(join(data, 'hidden_content.json'), '{"hidden":["x"]}');
    expect([later(), lines.length]).toEqual([true, 1]);
    expect((await vws(['content', 'show', HASH, '--data', data])).code).toBe(1);
    writeFileSync(join(data, 'hidden_content.json'), JSON.stringify({ hidden: [HASH] }));
    expect((await vws(['content', 'show', HASH, '--data', data])).out).toBe('Hidden: 0');
    expect(later()).toBe(false);
    expect((await vws(['content', 'hide', 'abc', '--data', data])).code).toBe(2);
  });
});
