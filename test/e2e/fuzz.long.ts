// Malformed requests with good signatures: refused with a code of the catalogue or carried out, never a 5xx, never a
// changed sum, and the node keeps running.

import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { checkObject } from '../../host/api/object-schema.ts';
import { buildOpenApi } from '../../host/api/openapi.ts';
import { ROUTES } from '../../host/api/routes.ts';
import { ERRORS } from '../../host/errors.ts';
import { OPERATIONS, type Operation, type OperationName } from '../../host/wire/operations.ts';
import type { NodeProcess } from '../../tools/load/node-process.ts';
import { SeededRandom } from '../../tools/load/seeded-random.ts';
import { Agent, type Answer, call, get, TOKEN } from './agent.ts';
import { FuzzWorld } from './fuzz-world.ts';
import { testSeed } from './seed.ts';
import { shapedWrites } from './shaped-writes.ts';
import { type Network, Testbed } from './testbed.ts';

const REQUESTS = 800;
const ROUNDS = 40;
/** So many times 40 rounds, at most. */
const MOST_MORE = 8;
/** Operations that have an endpoint. */
const NAMES = (Object.keys(OPERATIONS) as OperationName[]).filter(
  (name) => !(OPERATIONS[name] as Operation).isNodeOnly,
);
/** What a fresh node has nothing for: a suspended validator, one that passed probation, a completed assured task, a replay. */
const UNREACHED: ReadonlySet<OperationName> = new Set([
  'validatorResume',
  'validatorObject',
  'challengeOpen',
  'challengeVote',
  'replaySubmit',
  'replayOutcome',
  // Few random tasks with a valid reservation are accepted: test/e2e/openapi-examples.long.ts.
  'taskDecline',
  // No random content is a sealed box: test/e2e/sealed-cases.ts.
  'taskOpen',
]);
/** Work enough before each round for all that can be done with it. */
const ROUND: readonly OperationName[] = [
  ...Array(3).fill(['taskCreate', 'taskClaim', 'taskSubmit']).flat(),
  ...NAMES,
];
/** Members of all bodies, and names that objects have by themselves. */
const FIELDS = [
  ...new Set(Object.values<Operation>(OPERATIONS).flatMap((op) => [...Object.keys(op.fields), ...op.actors])),
  '__proto__',
  'constructor',
];

const bed = new Testbed();
afterAll(() => bed.close());

describe('any request', () => {
  const seed = testSeed();
  const random = new SeededRandom(seed);
  let network: Network;
  let node: NodeProcess;
  let port: number;
  let alice: Agent;
  let names: string[];
  beforeAll(async () => {
    network = await bed.network(['active']);
    node = await bed.start(network);
    ({ port } = node);
    alice = await new Agent(port).register({ initial_stake: 10 * TOKEN, agent_id: 'valueOf' });
    await new Agent(port).register({ agent_id: 'toString', display_name: '<script>' });
    names = [
      alice.id,
      '__proto__',
      'constructor',
      'toString',
      'seat-0',
      'genesis:rewards',
      network.operator.publicKeyHex,
    ];
  });

  const text = (): string =>
    random.pick([
      () => random.pick(names),
      () => '',
      () => 'x'.repeat(random.pick([1, 64, 65, 128, 129, 256, 257, 5000, 5001])),
      () => 'ü'.repeat(random.pick([32, 33, 128, 129])),
      () =>
        random.pick([
          '../..',
          '%2F',
          'a/b',
          'null',
          '0',
          '\u202e',
          '\ufeff',
          '😀',
          "'; drop",
          '*',
          'transfers',
        ]),
      () => Buffer.from(random.bytes(random.pick([16, 32, 33]))).toString(random.pick(['hex', 'base64'])),
    ])();
  const number = (): number =>
    random.pick([
      0,
      1,
      -1,
      0.5,
      1e3,
      5,
      255,
      256,
      65_536,
      2 ** 31,
      2 ** 32,
      2 ** 53 - 1,
      2 ** 53,
      1e15,
      1e15 + 1,
      1e21,
      1e308,
      -0,
    ]);
  const value = (depth: number): unknown =>
    random.pick([
      text,
      number,
      number,
      () => random.below(2) === 0,
      () => null,
      () => (depth > 3 ? [] : Array.from({ length: random.below(4) }, () => value(depth + 1))),
      () => (depth > 3 ? {} : Object.fromEntries([[text(), value(depth + 1)]])),
    ])();
  const body = (): string => {
    const members = Array.from({ length: random.below(6) }, () => {
      const name = random.pick(FIELDS);
      return `${JSON.stringify(name)}:${JSON.stringify(value(0))}`;
    });
    const json = `{${members.join(',')}}`;
    if (random.below(10) > 0) return json;
    const cut = random.below(json.length + 1);
    return random.pick([json.slice(0, cut), json.slice(cut), `${json}${json}`, JSON.stringify(value(0))]);
  };

  const check = (what: string, { status, body: answer }: Answer): void => {
    const at = `seed ${seed}: ${what}: ${status} ${JSON.stringify(answer)}`;
    expect(status, at).toBeLessThan(500);
    if (status < 300) return;
    expect(checkObject('Error', answer), at).toEqual([]);
    expect(ERRORS[answer.code as keyof typeof ERRORS]?.[0], at).toBe(status);
  };

  it(`of ${REQUESTS} signed writes is carried out or refused`, async () => {
    const writes = ROUTES.filter((r) => 'operation' in r);
    for (let i = 0; i < REQUESTS; i++) {
      const route = random.pick(writes);
      const path = route.path.replace(/\{\w+\}/g, () => encodeURIComponent(text()));
      // Registrations need a key that is not registered.
      const who = route.path === '/v1/agents' ? new Agent(port) : alice;
      const sent = body();
      check(`${route.method} ${path} ${sent}`, await who.send(route.method, path, sent));
    }
    const metrics = (await get(port, '/metrics')).body as string;
    expect(metrics).toMatch(/^vws_supply_check 1$/m);
    expect((await get(port, '/health')).status).toBe(200);
  });

  it(`of ${ROUNDS} rounds of well-formed and corrupted writes is answered as the API description says`, async () => {
    const { paths } = buildOpenApi(ROUTES, 'fuzz');
    const agents = [alice];
    while (agents.length < 4) agents.push(await new Agent(port).register({ initial_stake: TOKEN }));
    const seat = new Agent(port, network.others[0]!.signer);
    const applicant = await new Agent(port).register({ initial_stake: 10_000 * TOKEN });
    const world = new FuzzWorld(agents, new Agent(port, network.operator), seat, applicant);
    const carriedOut = new Set<OperationName>();
    const round = fc.tuple(...ROUND.map(shapedWrites));
    const everyOperation = fc.asyncProperty(round, async (writes) => {
      for (const [i, write] of writes.entries()) {
        const name = ROUND[i]!;
        const { method, path: template } = OPERATIONS[name];
        const { who, path, body } = world.request(name, write);
        const answer = await who.send(method, path, body);
        const at = `${name}: ${method} ${path} ${JSON.stringify(body)}`;
        check(at, answer);
        const described = paths[template]![method.toLowerCase()]!.responses[answer.status];
        expect(described, `${at}: ${answer.status} ${answer.body.code}`).toBeDefined();
        if (answer.status >= 300) {
          expect(described!.description.split(', '), at).toContain(answer.body.code);
          continue;
        }
        const route = ROUTES.find((r) => r.method === method && r.path === template)!;
        expect(checkObject(route.reply, answer.body), at).toEqual([]);
        carriedOut.add(name);
        world.learn(name, who, answer.body);
      }
    });
    // What a write meets depends on those before it, so that a shorter run would be another one.
    // Which operations the random rounds reach is a matter of luck: more rounds until each was carried out.
    const never = () => NAMES.filter((name) => !carriedOut.has(name) && !UNREACHED.has(name));
    for (let more = 0; more === 0 || (never().length > 0 && more < MOST_MORE); more++)
      await fc.assert(everyOperation, { seed: (seed + more) | 0, numRuns: ROUNDS, endOnFailure: true });
    expect(never(), `seed ${seed}: operations that were never carried out`).toEqual([]);
  });

  it('of 300 reads with odd paths and queries is answered or refused', async () => {
    const reads = ROUTES.filter((r) => r.method === 'GET');
    const queries = reads.flatMap((r) => ('query' in r ? (r.query ?? []) : []));
    const queryNames = [
      'page',
      'per_page',
      'limit',
      '__proto__',
      ...queries.flatMap((q) => ('name' in q ? [q.name] : [])),
    ];
    for (let i = 0; i < 300; i++) {
      const path = random
        .pick(reads)
        .path.replace(/\{\w+\}/g, () => encodeURIComponent(text()).slice(0, 2000));
      const pairs = Array.from({ length: random.below(3) }, () => {
        const given = random.pick([String(number()), text(), '%zz', '+', '%00']);
        return `${random.pick(queryNames)}=${given.startsWith('%') ? given : encodeURIComponent(given).slice(0, 2000)}`;
      });
      const url = pairs.length > 0 ? `${path}?${pairs.join('&')}` : path;
      check(`GET ${url}`, await get(port, url));
    }
  });

  it('with malformed signing headers is refused with a message', async () => {
    const names = ['X-Service-Version', 'X-Service-Chain-ID', 'X-Service-Actor', 'X-Service-Created'];
    names.push(
      'X-Service-Expires',
      'X-Service-Nonce',
      'X-Service-Signature',
      'X-API-Key',
      'X-Service-Agent-ID',
    );
    const odd = (): string =>
      random.pick([
        '',
        ' ',
        '0',
        '-1',
        '1e9',
        '99999999999',
        'x'.repeat(5000),
        'f'.repeat(64),
        '0'.repeat(128),
        'SERVICE-TX-V2',
        ',',
      ]);
    for (let i = 0; i < 150; i++) {
      const good = await alice.sign('POST', '/v1/stake', { amount: 1 });
      const headers: Record<string, string> = { ...good.headers };
      for (let n = 1 + random.below(3); n > 0; n--) {
        const name = random.pick(names);
        if (random.below(3) === 0) delete headers[name];
        else headers[name] = odd();
      }
      const what = `POST /v1/stake ${JSON.stringify(headers)}`;
      const answer = await call(port, { ...good, headers });
      check(what, answer);
    }
  });

  it('that was executed decodes the same way when the log is replayed from genesis', async () => {
    const paths = [
      '/v1/agents',
      '/v1/economics',
      '/v1/pending?per_page=200',
      '/v1/events/recent?per_page=200',
      '/v1/tasks?per_page=200',
      '/v1/tasks/stats',
      '/v1/registry/search?per_page=200',
      '/v1/router/agents?per_page=200',
    ];
    const headOf = async (at: number): Promise<number> =>
      (await get(at, '/v1/events/recent?limit=1')).body[0].seq;
    /** All of them between two events, and the number of the former. */
    const read = async (at: number): Promise<{ head: number; answers: unknown[] }> => {
      for (;;) {
        const head = await headOf(at);
        const answers = await Promise.all(paths.map(async (path) => (await get(at, path)).body));
        if ((await headOf(at)) === head) return { head, answers };
      }
    };
    // A deadline of a task may pass meanwhile; then once more.
    for (let attempt = 0; attempt < 10; attempt++) {
      const before = await read(node.port);
      await node.kill();
      node = await bed.start(network);
      const after = await read(node.port);
      if (after.head !== before.head) continue;
      expect(after.answers).toEqual(before.answers);
      return;
    }
    throw new Error(`seed ${seed}: the node never held still`);
  });
});
