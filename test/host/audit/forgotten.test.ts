// A store that had to forget what is settled, and a node that denies it: what is not found here may have existed, so nobody was
// proven right.

import { beforeAll, expect, it } from 'vitest';
import { eventsAt } from '../../../host/store/events.ts';
import type { RowBatch } from '../../../host/world/store.ts';
import { begin, giver, nodeThat, open, task } from './auditors.ts';
import { type Alter, jsonAt } from './giver-node.ts';
import { PlainStore } from './giver-source.ts';

beforeAll(begin);

/** Keeps no results, and no events by their ids. */
class Forgetting extends PlainStore {
  readonly isPartial = true;
  override write(ops: RowBatch): Promise<void> {
    return super.write([...ops].filter(({ key }) => !['u', 'e'].includes(String.fromCharCode(key[0]!))));
  }
}

const denied =
  (path: RegExp): Alter =>
  (asked, given) =>
    path.test(asked) ? { ...given, status: 404 } : undefined;

it('an event that is denied is not comparable', async () => {
  const { event_id } = eventsAt(giver.parts.store, [3])[0]!;
  const honest = await open(nodeThat(), { store: new Forgetting() });
  expect(await honest.compare('event', event_id)).toMatchObject({ shown: 'not_comparable' });
  const v = await open(nodeThat(denied(/^\/v1\/events\//)), { store: new Forgetting() });
  expect(await v.compare('event', event_id)).toMatchObject({ shown: 'not_comparable' });
  // An audit that keeps nothing for later keeps no events.
  const once = await open(nodeThat(denied(/^\/v1\/events\//)), { isOnce: true });
  expect(await once.compare('event', event_id)).toMatchObject({ shown: 'not_comparable' });
  const whole = await open(nodeThat(denied(/^\/v1\/events\//)));
  expect(await whole.compare('event', event_id)).toMatchObject({ shown: 'lie' });
});

it('a task without its content is not comparable', async () => {
  const bare = jsonAt(/^\/v1\/tasks\//, ({ result_content: _, ...rest }: Record<string, unknown>) => rest);
  const v = await open(nodeThat(bare), { store: new Forgetting() });
  expect(await v.compare('task', task)).toMatchObject({ shown: 'not_comparable' });
  const whole = await open(nodeThat(bare));
  expect(await whole.compare('task', task)).toMatchObject({ shown: 'lie' });
});

it('what was not forgotten is checked all the same', async () => {
  const v = await open(nodeThat(), { store: Object.assign(new PlainStore(), { isPartial: true }) });
  expect(await v.compare('task', task)).toMatchObject({ shown: 'checked' });
  const other = await open(nodeThat(), { store: new Forgetting() });
  const [, waiting] = [...giver.ids] as [string, string];
  expect(await other.compare('task', waiting)).toMatchObject({ shown: 'checked' });
  const lie = jsonAt(/^\/v1\/tasks\//, (doc: object) => ({ ...doc, budget: 777000000 }));
  const lied = await open(nodeThat(lie), { store: new Forgetting() });
  expect(await lied.compare('task', task)).toMatchObject({ shown: 'lie' });
});
