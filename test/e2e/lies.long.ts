// Every lie about every member: a proxy before a real node alters the documents that an audit reads, one member at a time
// (dropped, changed, invented), as /openapi.json names them. None of these passes as checked or proven, from genesis or
// from the state at a seal. What an audit never asks for is listed: it stays the node's word.
// `npm run lies` does so for every task and event of the story, and for nested members.

import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  HttpSource,
  type Kind,
  openProofs,
  type Proofs,
  type Proven,
  type Verdict,
  Verifier,
  type Way,
} from '../../host/audit/index.ts';
import { systemEnvironment, VwsClient } from '../../host/client/index.ts';
import { readEnv } from '../../host/config/config.ts';
import { builtPath } from '../../tools/load/built.ts';
import { newSigner } from '../../tools/load/signed-writes.ts';
import { PlainStore } from '../host/audit/giver-source.ts';
import { get, type Json, TOKEN } from './agent.ts';
import { LyingProxy } from './lying-proxy.ts';
import { type Lie, liesAbout, membersOf } from './member-lies.ts';
import { type Story, tell } from './story.ts';
import { Testbed } from './testbed.ts';

const IS_ALL = readEnv().VWS_LIES === 'all';
const TIMEOUT_MS = IS_ALL ? 3_600_000 : 240_000;
const MAX_DEPTH = IS_ALL ? 4 : 1;
/** Of the lies about what is read on the way, each of which takes an audit from the beginning, every so many. */
const EVERY = IS_ALL ? 1 : 8;

const bed = new Testbed();
let s: Story;
let proxy: LyingProxy;
let openapi: Json;
let questions: Question[];
const asked = new Set<string>();

const module = (name: string) => new WebAssembly.Module(readFileSync(builtPath(`${name}.wasm`)));
const modules = { core: module('core'), consensus: module('consensus'), ed25519: module('ed25519') };

beforeAll(async () => {
  s = await tell(bed, {});
  proxy = await LyingProxy.before(s.port);
  openapi = (await get(s.port, '/openapi.json')).body;
  const before = await storyQuestions();
  await seal();
  questions = [...before, ...(await afterSeal())];
}, TIMEOUT_MS);
afterAll(async () => {
  await proxy.close();
  await bed.close();
});

const open = (way: Way): Promise<Verifier> =>
  Verifier.open({
    source: new HttpSource(proxy.url, systemEnvironment),
    modules,
    store: new PlainStore(),
    way,
    environment: systemEnvironment,
  });

/** The path of the description that an asked path belongs to. */
const templateOf = (path: string): string | undefined => {
  const parts = path.split('?')[0]!.split('/');
  const fits = (template: string): boolean => {
    const names = template.split('/');
    return (
      names.length === parts.length && names.every((name, i) => name.startsWith('{') || name === parts[i])
    );
  };
  const templates = Object.keys(openapi.paths).filter(fits);
  return templates.sort((a, b) => Number(a.includes('{')) - Number(b.includes('{')))[0];
};

const isAt = (template: string) => (path: string) => templateOf(path) === template;

async function lying<T>(isLie: (path: string) => boolean, lie: Lie, run: () => Promise<T>): Promise<T> {
  proxy.lie = (path, body) => {
    asked.add(templateOf(path) ?? path);
    if (!isLie(path)) return undefined;
    const document = JSON.parse(body.toString());
    return JSON.stringify(
      Array.isArray(document) ? document.map((one) => lie.tell(one)) : lie.tell(document),
    );
  };
  try {
    return await run();
  } finally {
    proxy.lie = () => undefined;
  }
}

/** Kind, id, and the path that shows it. */
type Question = readonly [kind: Kind, id: string, path: string];
const aboutTask = (id: string): Question => ['task', id, '/v1/tasks/{id}'];
const aboutEvent = (id: string): Question => ['event', id, '/v1/events/{id}'];

/** What was written before the seal. */
async function storyQuestions(): Promise<Question[]> {
  const tasks: Json[] = (await get(s.port, '/v1/tasks?limit=100')).body;
  const events: Json[] = (await get(s.port, '/v1/events/recent?limit=100')).body;
  const kinds = [...new Set(events.map(({ event_type }) => event_type))];
  const some = IS_ALL
    ? kinds.map((kind) => events.find(({ event_type }) => event_type === kind))
    : events.slice(0, 1);
  return [
    ['agent', 'bob', '/v1/agents/{id}/balance'],
    ...(IS_ALL ? tasks : tasks.slice(0, 2)).map(({ id }) => aboutTask(id)),
    ...[...some.map(({ event_id }) => event_id), s.settledTransfer, s.pendingTransfer].map(aboutEvent),
  ];
}

/** Gives a seat another key, and writes until the epoch has ended and the node gives the state at its end. */
async function seal(): Promise<void> {
  const path = '/v1/validators/seat-1/rotate';
  await s.second.do(path, { new_public_key: newSigner().publicKeyHex });
  for (let status = 0; status !== 200; ) {
    await s.bob.do('/v1/stake', { amount: 1 });
    ({ status } = await get(s.port, '/v1/log/state?epoch=1&after=73'));
  }
}

async function afterSeal(): Promise<Question[]> {
  const { event_id } = await s.alice.do('/v1/transfer', { to_agent: 'bob', amount: TOKEN });
  const task = { title: 'After the seal', category: 'code', budget: TOKEN };
  const { id } = await s.alice.do('/v1/tasks', task);
  return [aboutEvent(event_id), aboutTask(id)];
}
const templateFor = (wanted: string): string =>
  Object.keys(openapi.paths).find((path) => path.replace(/\{\w+\}/g, '{id}') === wanted)!;
const pathFor = (template: string, id: string): string => template.replace(/\{\w+\}/, encodeURIComponent(id));

/** What an honest answer is shown to be. */
const SHOWN = { genesis: 'checked', checkpoint: 'proven' } as const;

describe.each(['genesis', 'checkpoint'] as const)('from %s', (way) => {
  it('no lie about a member of a document passes', { timeout: TIMEOUT_MS }, async () => {
    const verifier = await open(way);
    expect(await verifier.run()).toMatchObject({ isGood: true, shown: SHOWN[way] });
    const counts = { lie: 0, not_comparable: 0 };
    for (const [kind, id, wanted] of questions) {
      const template = templateFor(wanted);
      const { body } = await get(s.port, pathFor(template, id));
      for (const lie of liesAbout(body, membersOf(openapi, template), MAX_DEPTH)) {
        const { shown } = await lying(isAt(template), lie, () => verifier.compare(kind, id));
        expect(['lie', 'not_comparable'], `${template} ${id}: ${lie.name}`).toContain(shown);
        counts[shown as 'lie'] += 1;
      }
      const { shown } = await verifier.compare(kind, id);
      expect([SHOWN[way], 'not_comparable'], `${kind} ${id}`).toContain(shown);
    }
    console.log(`lies about documents, from ${way}: ${JSON.stringify(counts)}`);
    expect(counts.lie).toBeGreaterThan(40);
    // From the seal on, events that were settled before it cannot be compared.
    if (way === 'genesis') expect(counts.not_comparable).toBe(0);
  });

  it('no lie about a member of what is read on the way changes what is shown', {
    timeout: TIMEOUT_MS,
  }, async () => {
    const of = async (): Promise<Partial<Verdict>> => {
      try {
        return await (await open(way)).run();
      } catch (error) {
        expect((error as Error).name).toBe('LogFault');
        return { shown: 'lie' };
      }
    };
    for (const template of ['/v1/genesis', '/v1/status', '/v1/checkpoints', '/v1/checkpoints/latest']) {
      const { body } = await get(s.port, template);
      const document = Array.isArray(body) ? body[0] : body;
      for (const [i, lie] of liesAbout(document, membersOf(openapi, template), MAX_DEPTH).entries()) {
        if (i % EVERY !== 0) continue;
        const told = await lying(isAt(template), lie, of);
        if (told.shown === 'lie') continue;
        // Then the member is none that is believed: the honest node shows the same.
        const { stateRoot, order, checkpointCode } = await of();
        expect(told.order, `${template}: ${lie.name}`).toBeLessThanOrEqual(order!);
        if (told.order === order)
          expect([told.stateRoot, told.checkpointCode]).toEqual([stateRoot, checkpointCode]);
      }
    }
  });
});

/** Who proves: the auditor's reader, or the client alone. */
type Prover = Pick<Proofs, 'item' | 'list'>;
/** Of each kind one, with the paths that show it. */
const proofsOf = (): [path: string, prove: (prover: Prover) => Promise<Proven>][] => [
  ['/v1/proof/agent/bob', (p) => p.item('agent', 'bob')],
  ['/v1/proof/reputation/bob', (p) => p.item('reputation', 'bob')],
  ['/v1/proof/validator/bob', (p) => p.item('validator', 'bob')],
  [`/v1/proof/task/${s.tasks.completed}`, (p) => p.item('task', s.tasks.completed)],
  [`/v1/proof/result/${s.tasks.submitted}`, (p) => p.item('result', s.tasks.submitted)],
  [`/v1/proof/event/${s.stakeEvent}`, (p) => p.item('event', s.stakeEvent)],
  ['/v1/proof/agents?limit=3', (p) => p.list('agents', '', 3)],
  ['/v1/proof/open_tasks?limit=50', (p) => p.list('open_tasks')],
  ['/v1/proof/validators?limit=50', (p) => p.list('validators')],
];

const PROVERS: Record<string, () => Promise<Prover>> = {
  'an auditor': () =>
    openProofs({
      source: new HttpSource(proxy.url, systemEnvironment),
      modules,
      randomBytes: systemEnvironment.randomBytes,
      pause: async () => {},
    }),
  'the client': async () => {
    const { body } = await get(s.port, '/v1/status');
    const trust = { genesisHash: body.genesis_hash };
    const client = new VwsClient({ baseUrl: proxy.url });
    return {
      item: (kind, id) => client.verifyProof(kind, id, trust),
      list: (kind) => client.verifyProofOfList(kind, trust),
    };
  },
};

it.each(Object.keys(PROVERS))(
  'no lie about a member of a proof proves anything else to %s',
  { timeout: TIMEOUT_MS },
  async (who) => {
    const proofs = await PROVERS[who]!();
    const counts = { named: 0, same: 0 };
    for (const [path, prove] of proofsOf()) {
      // The client asks for whole lists, in pages of their own size.
      if (who === 'the client' && /limit=3$/.test(path)) continue;
      const { body } = await get(s.port, path);
      let told: Json = body;
      // The node moves on: all lies are about one answer.
      proxy.lie = (at) => {
        asked.add(templateOf(at) ?? at);
        return at === path ? JSON.stringify(told) : undefined;
      };
      const honest = await prove(proofs);
      for (const lie of liesAbout(body, membersOf(openapi, templateOf(path)!), MAX_DEPTH)) {
        told = lie.tell(body);
        try {
          // Rows that are left out are not proven, and nothing else is said of them.
          const { rows = honest.rows, ...shown } = await prove(proofs);
          expect({ ...shown, ...(rows ? { rows } : {}) }, `${path}: ${lie.name}`).toEqual(honest);
          counts.same += 1;
        } catch (error) {
          expect(error, `${path}: ${lie.name}`).toMatchObject({ name: 'LogFault' });
          counts.named += 1;
        }
      }
    }
    proxy.lie = () => undefined;
    console.log(`lies about proofs, to ${who}: ${JSON.stringify(counts)}`);
    expect(counts.named).toBeGreaterThan(40);
  },
);

it('the client refuses a node of another network than was named', async () => {
  const client = new VwsClient({ baseUrl: proxy.url });
  const other = client.verifyProof('agent', 'bob', { genesisHash: 'ab'.repeat(32) });
  await expect(other).rejects.toMatchObject({ name: 'LogFault', kind: 'genesis' });
  const { rows } = await client.verifyProof('agent', 'bob');
  expect(rows?.account?.balance).toBeGreaterThan(0);
});

/** What an audit reads of a node without believing it. */
const CLAIMS = ['/v1/checkpoints/latest', '/v1/status'];

it('the API description calls nothing checked or proven but what was lied about', () => {
  const reads = Object.entries<Json>(openapi.paths).filter(([, { get }]) => get !== undefined);
  // Bytes are damaged in test/host/audit/mutations.test.ts.
  const isJson = (path: string): boolean =>
    'application/json' in openapi.paths[path].get.responses['200'].content;
  const confirmed = reads.filter(([, { get }]) => get['x-shown'] !== 'as_the_node_says');
  expect([...confirmed.map(([path]) => path), ...CLAIMS].filter(isJson).sort()).toEqual(
    [...asked].filter(isJson).sort(),
  );
  const outside = reads.map(([path]) => path).filter((path) => !asked.has(path));
  expect(outside).toContain('/v1/registry/search');
  console.log(`outside of every audit: ${outside.length} of ${reads.length} reads`);
});
