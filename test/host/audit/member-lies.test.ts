// Every lie about every member of what an audit compares, told to one that began at a checkpoint: a network in one process
// has seals, which a node of the everyday story (test/e2e/lies.long.ts) has not yet.

import { beforeAll, expect, it } from 'vitest';
import { buildOpenApi } from '../../../host/api/openapi.ts';
import { ROUTES } from '../../../host/api/routes.ts';
import { PATHS } from '../../../host/audit/answers.ts';
import type { Kind, Verifier } from '../../../host/audit/index.ts';
import { fromUtf8, utf8 } from '../../../host/wire/bytes.ts';
import type { Json } from '../../e2e/agent.ts';
import { liesAbout, membersOf } from '../../e2e/member-lies.ts';
import { begin, giver, id, nodeThat, open } from './auditors.ts';
import { jsonAt } from './giver-node.ts';

beforeAll(begin);

/** An open event, which is under the root; settled ones from before the checkpoint are not comparable. */
async function openEvent(): Promise<string> {
  for await (const [, row] of giver.parts.store.scan({ gte: utf8('q'), lt: utf8('r') })) {
    const event = JSON.parse(fromUtf8(row));
    if (event.settlement_state === 'optimistic') return event.event_id;
  }
  throw new Error('the network has no open event');
}

const TEMPLATES: Record<Kind, string> = {
  agent: '/v1/agents/{id}/balance',
  task: '/v1/tasks/{id}',
  event: '/v1/events/{id}',
};

it('none of them passes as proven', async () => {
  const node = nodeThat();
  const verifier: Verifier = await open(node, { way: 'checkpoint' });
  expect([(await verifier.run()).isGood, verifier.way]).toEqual([true, 'checkpoint']);
  const openapi: Json = buildOpenApi(ROUTES, '0');
  const asked: [Kind, string][] = [
    ['agent', id],
    ...[...giver.ids].map((task): [Kind, string] => ['task', task]),
    ['event', await openEvent()],
  ];
  let lies = 0;
  for (const [kind, of] of asked) {
    const path = PATHS[kind](of);
    const response = await node.fetch(`http://giver${path}`, {});
    const told: Json = await response.json();
    for (const lie of liesAbout(told, membersOf(openapi, TEMPLATES[kind]), 3)) {
      node.alter = jsonAt(new RegExp(path), (document: Json) => lie.tell(document) as never);
      const { shown } = await verifier.compare(kind, of);
      expect(['lie', 'not_comparable'], `${path}: ${lie.name}`).toContain(shown);
      lies += 1;
    }
    node.alter = () => undefined;
    expect((await verifier.compare(kind, of)).shown, path).toBe('proven');
  }
  expect(lies).toBeGreaterThan(150);
});
