// The examples of the API description, as the node itself gives them, sent to that node: each must succeed with the
// status and the object that the description promises.
// Keeps: a route, parameter or body without an example fails here, and so does an example that is out of date.

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { checkObject } from '../../host/api/object-schema.ts';
import type { OpenApi, OperationDoc, ParameterDoc } from '../../host/api/openapi.ts';
import { ROUTES } from '../../host/api/routes.ts';
import type { CANARY_OPERATIONS } from '../../host/wire/operations/cases.ts';
import { OPERATIONS, type Operation, type OperationName } from '../../host/wire/operations.ts';
import { fillPlaceholders, type Placeholder } from '../../host/wire/placeholders.ts';
import { Agent, type Answer, call, get, type Json, TOKEN } from './agent.ts';
import { challengeable, drawnJob } from './case-cases.ts';
import { valuesOf } from './placeholder-values.ts';
import { sealedDelivery } from './sealed-cases.ts';
import { type Story, tell } from './story.ts';
import { suspendedValidator } from './suspended-validator.ts';
import { RESULT, TASK } from './task-cases.ts';
import { Testbed } from './testbed.ts';
import { waitingApplicant } from './waiting-applicant.ts';

type Values = Partial<Record<Placeholder, string>>;
interface Write {
  who: Agent;
  /** Where the placeholders stand for something else than in reads. */
  values?: Values;
}
/** Brings the story to where the example of a write fits. */
type Prepare = (s: Story) => Promise<Write> | Write;

const post = async (s: Story): Promise<string> => (await s.alice.do('/v1/tasks', TASK)).id;
async function claimed(s: Story): Promise<string> {
  const id = await post(s);
  await s.bob.do(`/v1/tasks/${id}/claim`);
  return id;
}
const hired = async (s: Story): Promise<string> =>
  (await s.alice.do('/v1/tasks', { ...TASK, reserved_for: s.bob.id })).id;
async function submitted(s: Story): Promise<string> {
  const id = await claimed(s);
  await s.bob.do(`/v1/tasks/${id}/submit`, RESULT);
  return id;
}
async function disputed(s: Story): Promise<string> {
  const id = await submitted(s);
  await s.alice.do(`/v1/tasks/${id}/dispute`);
  return id;
}
/** The delivery is sealed with the content key of the example. */
async function sealedDispute(s: Story): Promise<Write> {
  const id = await sealedDelivery(s.alice, s.bob, OPERATIONS.taskOpen.example.content_key);
  await s.alice.do(`/v1/tasks/${id}/dispute`);
  return { who: s.bob, values: { task_id: id } };
}
const byPoster =
  (task: (s: Story) => Promise<string>): Prepare =>
  async (s) => ({ who: s.alice, values: { task_id: await task(s) } });
const byWorker =
  (task: (s: Story) => Promise<string>): Prepare =>
  async (s) => ({ who: s.bob, values: { task_id: await task(s) } });
const alone: Prepare = (s) => ({ who: s.alice });

const routable: Prepare = async (s) => {
  await s.alice.do('/v1/router/register', { categories: ['research'] });
  return { who: s.alice };
};

/** A pending job, answered by its executor. */
const byExecutor: Prepare = async (s) => {
  const { job, executor } = await drawnJob(s.court);
  return { who: executor, values: { job_id: job.id } };
};

/** Operations that have an endpoint. */
type Routed = Exclude<OperationName, keyof typeof CANARY_OPERATIONS>;

const WRITES: Record<Routed, Prepare> = {
  register: (s) => ({ who: new Agent(s.port) }),
  faucet: alone,
  transfer: (s) => ({ who: s.alice, values: { agent_id: s.bob.id } }),
  generation: (s) => ({ who: s.bob }),
  stake: alone,
  unstake: alone,
  verify: (s) => ({ who: s.operator, values: { event_id: s.pendingTransfer } }),
  voteCommit: async (s) => {
    const id = await disputed(s);
    await s.bob.do(`/v1/tasks/${id}/contest`);
    const { dispute_event_id } = (await get(s.port, `/v1/tasks/${id}`)).body;
    return { who: s.operator, values: { event_id: dispute_event_id } };
  },
  taskCreate: alone,
  taskClaim: byWorker(post),
  taskRelease: byWorker(claimed),
  taskDecline: byWorker(hired),
  taskSubmit: byWorker(claimed),
  taskApprove: byPoster(submitted),
  taskDispute: byPoster(submitted),
  taskContest: byWorker(disputed),
  taskConcede: byWorker(disputed),
  taskOpen: sealedDispute,
  taskCancel: byPoster(post),
  subtaskCreate: byWorker(claimed),
  trajectoryCommit: byWorker(claimed),
  programPublish: alone,
  routerRegister: alone,
  routerAvailable: routable,
  routerRemove: routable,
  serviceList: alone,
  serviceUnlist: alone,
  keyCreate: alone,
  keyRevoke: alone,
  validatorApply: async (s) => ({
    who: await new Agent(s.port).register({ initial_stake: 10_000 * TOKEN }),
  }),
  validatorResume: () => suspendedValidator(bed),
  validatorObject: () => waitingApplicant(bed),
  validatorJudge: (s) => ({ who: s.second }),
  keyRotate: (s) => ({ who: s.second }),
  recoverySet: (s) => ({ who: s.operator }),
  challengeOpen: async (s) => {
    const { task, target } = await challengeable(s.court);
    return { who: s.cases.challenger, values: { task_id: task, validator_id: target } };
  },
  challengeVote: (s) => ({ who: s.operator }),
  replaySubmit: byExecutor,
  replayOutcome: byExecutor,
};

const bed = new Testbed();
let s: Story;
let api: OpenApi;
let known: Record<Placeholder, string>;
beforeAll(async () => {
  s = await tell(bed, {});
  api = (await get(s.port, '/openapi.json')).body;
  known = valuesOf(s);
});
afterAll(() => bed.close());

const docOf = (method: string, path: string): OperationDoc => api.paths[path]![method.toLowerCase()]!;
const filled = <T>(example: T, values: Values = {}): T =>
  fillPlaceholders(example, (name) => values[name] ?? known[name]);

/** The path with its segments filled. Fails without an example for one. */
function pathOf(path: string, doc: OperationDoc, values: Values = {}): string {
  return path.replace(/\{(\w+)\}/g, (_, name) => {
    const example = doc.parameters!.find((p) => p.in === 'path' && p.name === name)?.example;
    expect(example, `${path}: ${name}`).toBeDefined();
    return encodeURIComponent(String(filled(example, values)));
  });
}

/** Query strings to try: without what is optional, with each parameter alone, with all of them. */
function queriesOf(at: string, doc: OperationDoc): string[] {
  const all = (doc.parameters ?? []).filter((p) => p.in === 'query');
  const required = all.filter((p) => p.required);
  const text = (list: ParameterDoc[]): string => {
    for (const p of list) expect(p.example, `${at}: ${p.name}`).toBeDefined();
    const pairs = list.map((p) => [p.name, String(filled(p.example))]);
    return pairs.length > 0 ? `?${new URLSearchParams(pairs)}` : '';
  };
  return [...new Set([required, ...all.map((p) => [...new Set([...required, p])]), all].map(text))];
}

/** Absent, as the headers of limits are, while a node is not behind, and where its history is whole. */
const SOMETIMES = ['X-Service-Behind', 'X-Service-History-From'];

/** The answer has the status and the object that the description promises. */
function expectAsDescribed(at: string, doc: OperationDoc, reply: string, answer: Answer): void {
  const status = Object.keys(doc.responses).find((code) => code.startsWith('2'))!;
  expect(String(answer.status), `${at}: ${JSON.stringify(answer.body)}`).toBe(status);
  const [type, content] = Object.entries(doc.responses[status]!.content!)[0]!;
  expect(answer.headers.get('content-type')?.startsWith(type), at).toBe(true);
  if (content.example === undefined)
    expect(answer.body.length ?? Object.keys(answer.body).length).toBeGreaterThan(0);
  else {
    expect(checkObject(reply, answer.body), at).toEqual([]);
    expect(checkObject(reply, content.example), at).toEqual([]);
  }
  for (const name of Object.keys(doc.responses[status]!.headers ?? {})) {
    if (!name.startsWith('X-RateLimit') && !SOMETIMES.includes(name))
      expect(answer.headers.get(name), `${at}: ${name}`).not.toBeNull();
  }
}

const READS = ROUTES.filter((route) => route.method === 'GET' && !('stream' in route && route.stream));
const OPERATION_NAMES = (Object.keys(OPERATIONS) as Routed[]).filter(
  (name) => !(OPERATIONS[name] as Operation).isNodeOnly,
);

describe('examples of the API description', () => {
  it('exist for every operation that the node serves', () => {
    const described = Object.entries(api.paths).flatMap(([path, item]) =>
      Object.keys(item).map((method) => `${method.toUpperCase()} ${path}`),
    );
    expect(described.sort()).toEqual(ROUTES.map((route) => `${route.method} ${route.path}`).sort());
    expect(Object.keys(WRITES).sort()).toEqual([...OPERATION_NAMES].sort());
  });

  it.each(READS.map((route) => route.path))('GET %s answers', async (path) => {
    const doc = docOf('GET', path);
    const route = READS.find((r) => r.path === path)!;
    for (const query of queriesOf(path, doc)) {
      const url = pathOf(path, doc) + query;
      expectAsDescribed(url, doc, route.reply, await get(s.port, url));
    }
  });

  it('GET /v1/ws opens a stream', async () => {
    const doc = docOf('GET', '/v1/ws');
    const query = queriesOf('/v1/ws', doc).at(-1)!;
    expect(query).toContain('since=');
    const socket = new WebSocket(`ws://127.0.0.1:${s.port}/v1/ws${query}`);
    const message = await new Promise<Json>((done, failed) => {
      socket.on('message', (text) => done(JSON.parse(String(text))));
      socket.on('error', failed);
    });
    socket.terminate();
    expect(checkObject('StreamMessage', message)).toEqual([]);
    expect(['transfer', 'settlement']).toContain(message.type);
  });

  it.each(OPERATION_NAMES)('%s is carried out', async (name) => {
    const { method, path } = OPERATIONS[name];
    const route = ROUTES.find((r) => r.method === method && r.path === path)!;
    const doc = docOf(method, path);
    const { who, values } = await WRITES[name](s);
    const example = doc.requestBody!.content['application/json']!.example as object;
    const url = pathOf(path, doc, values);
    const signed = await who.sign(method, url, filled(example, values));
    const answer = await call(who.port, signed);
    expectAsDescribed(`${method} ${url}`, doc, route.reply, answer);
    expect(answer.headers.get('x-service-txid')).toBe(signed.txid);
  });

  it('leave the sum at 10^15', async () => {
    expect((await get(s.port, '/v1/economics')).body.total_supply).toBe(1_000_000_000 * TOKEN);
    expect((await get(s.port, '/metrics')).body).toMatch(/^vws_supply_check 1$/m);
  });
});
