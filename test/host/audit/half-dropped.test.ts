// A node that says of a part of a finished task that it has dropped it with older history, and shows the task without that part: in
// an audit from its state, and to whoever joins from it.

import { beforeAll, describe, expect, it } from 'vitest';
import { keyPairFromSeed } from '../../../host/crypto/key-pair.ts';
import { decodeRows, encodeRows, type Row } from '../../../host/net/join-rows.ts';
import { decodeMessage, encodeMessage } from '../../../host/net/messages.ts';
import { leafKey } from '../../../host/store/document-leaves.ts';
import { rowKey } from '../../../host/store/prefixes.ts';
import { taskKey } from '../../../host/store/task-rows.ts';
import { compareBytes, equalBytes, fromHex } from '../../../host/wire/bytes.ts';
import { sha256 } from '../../../host/wire/hash.ts';
import { Giver } from '../net/join-world.ts';
import { seedOf } from '../one-node/harness.ts';
import { agentKey, begin, both, nodeThat, open } from './auditors.ts';
import { type Alter, bytesAt, jsonAt } from './giver-node.ts';

let giver: Giver;
let id: string;
beforeAll(async () => {
  await begin();
  giver = await Giver.make();
  id = [...giver.ids][0]!;
  await giver.write(agentKey(1), `/v1/tasks/${id}/approve`, {});
  const { number } = giver.parts.ordering.epoch;
  for (let n = 0; giver.parts.ordering.epoch.number < number + 2; n++)
    await giver.write(keyPairFromSeed(seedOf(100 + n)), '/v1/agents', {});
  await giver.write(keyPairFromSeed(seedOf(99)), '/v1/agents', {});
});

/** The state without these rows, whose leaves are given as those of dropped documents. */
function dropped(rows: readonly Uint8Array[]): Alter {
  const { store } = giver.parts;
  const start = Buffer.from(JSON.stringify({ seq: 2, order: 2, time_secs: 1 }));
  const leafOf = (key: Uint8Array): Uint8Array =>
    leafKey(key[0] === 'u'.charCodeAt(0) ? 'result' : 'taskPart', key.subarray(1));
  const added: Row[] = [
    ...rows.map((key): Row => [rowKey.droppedLeaf(leafOf(key)), sha256(store.get(key)!)]),
    [rowKey.totals('history'), start],
  ];
  return (path, given) => {
    const asked = /^\/v1\/log\/state\?epoch=\d+&after=(.*)$/.exec(path)?.[1];
    if (asked === undefined) return undefined;
    const after = fromHex(asked)!;
    return bytesAt(/./, (bytes) => {
      const message = decodeMessage(bytes);
      if (message?.type !== 'fetched') return bytes;
      const shown = decodeRows(message.rows, after)!;
      const isLast = message.part === 'last';
      const to = isLast ? Uint8Array.of(after[0]! + 1) : shown.at(-1)![0];
      const kept = shown.filter(([key]) => !rows.some((row) => equalBytes(row, key)));
      const here = added.filter(([key]) => compareBytes(key, after) > 0 && compareBytes(key, to) <= 0);
      const all = [...kept, ...here].sort(([a], [b]) => compareBytes(a, b));
      return encodeMessage({ ...message, rows: encodeRows(all) });
    })(path, given);
  };
}

describe('a finished task', () => {
  const bytes = (): Uint8Array => fromHex(id)!;

  it('is one that the core no longer has, and whole it is proven', async () => {
    expect(giver.parts.ids.state.task(bytes())).toBeUndefined();
    const v = await open(nodeThat(undefined, giver), { way: 'checkpoint' });
    expect(await v.compare('task', id)).toMatchObject({ shown: 'proven' });
  });

  it('of which all was dropped is not comparable', async () => {
    const parts = (['text', 'state', 'submission'] as const).map((part) => taskKey(part, bytes()));
    const v = await open(nodeThat(dropped([...parts, rowKey.resultContent(bytes())]), giver), {
      way: 'checkpoint',
    });
    expect(await v.compare('task', id)).toMatchObject({ shown: 'not_comparable' });
  });

  it.each([
    ['content', ['result_content'], () => [rowKey.resultContent(bytes())]],
    ['submission', ['result_hash'], () => [taskKey('submission', bytes())]],
    ['changing part', [], () => [taskKey('state', bytes())]],
  ] as const)('is never proven without its %s', async (_, names, rows) => {
    const shown = jsonAt(/^\/v1\/tasks\//, (doc: Record<string, unknown>) =>
      Object.fromEntries(
        Object.entries(doc).filter(([name]) => !(names as readonly string[]).includes(name)),
      ),
    );
    const opening = open(nodeThat(both(dropped(rows()), shown), giver), { way: 'checkpoint' });
    await expect(opening.then((v) => v.compare('task', id))).rejects.toMatchObject({
      name: 'LogFault',
      kind: 'state',
    });
  });
});
