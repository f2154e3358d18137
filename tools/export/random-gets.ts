// Random GETs of the routes that a reader answers, with ids and words that a network has, and some that it has not.
// Keeps: the same seed and the same network give the same requests.

import type { QueryParam, ReadRoute } from '../../host/api/route.ts';
import { ROUTES } from '../../host/api/routes.ts';
import { READERS } from '../../host/export/reader/readers.ts';
import type { SeededRandom } from '../load/seeded-random.ts';

/** What parameters of a name may be. */
export type Pools = Readonly<Record<string, readonly string[]>>;

export interface Get {
  id: string;
  url: string;
}

type Json = Record<string, unknown>;

/** Ids that a node knows. `get`: reads a path. */
export async function poolsOf(get: (path: string) => Promise<unknown>): Promise<Pools> {
  const list = async (path: string): Promise<Json[]> => (await get(path)) as Json[];
  const texts = (rows: readonly Json[], member: string): string[] =>
    rows.map((row) => row[member]).filter((value) => typeof value === 'string');
  const agents = texts(await list('/v1/agents?per_page=200'), 'agent_id');
  const tasks = await list('/v1/tasks?per_page=200');
  const events = texts(await list('/v1/events/recent?per_page=200'), 'event_id');
  const validators = texts(await list('/v1/validators'), 'id');
  const addresses: string[] = [];
  for (const agent of agents.slice(0, 20)) {
    const found = (await get(`/v1/agents/${encodeURIComponent(agent)}/address`)) as Json;
    if (typeof found.address === 'string') addresses.push(found.address);
  }
  const categories = [...new Set(texts(tasks, 'category'))];
  return {
    agent: [...agents, 'nobody', 'ab'.repeat(32)],
    task: [...texts(tasks, 'id'), '00'.repeat(16), 'no task'],
    event: [...events, '11'.repeat(32), 'short'],
    validator: [...validators, agents[0]!, 'nobody'],
    challenge: [...texts(await list('/v1/challenges'), 'id'), `chal-${'00'.repeat(12)}`],
    job: [...texts(await list('/v1/replay/jobs'), 'id'), '00'.repeat(16)],
    address: [...addresses, 'tvws1wrong'],
    category: [...categories, categories[0]?.toUpperCase() ?? 'Data', 'unused'],
    q: ['', 'a', 'E', 'an', 'data', 'vessel', 'cou', '%', '_', '\\', '. ', 'zzz', 's c'],
  };
}

/** The pool of a parameter of a path or query. */
function poolOf(route: string, name: string): string {
  if (name === 'agent_id' || name === 'poster_id' || name === 'claimer_id' || name === 'challenger_id')
    return 'agent';
  if (name === 'target_id' || name === 'executor_id') return 'validator';
  if (name === 'task_id') return 'task';
  if (name !== 'id') return name;
  const kinds: [RegExp, string][] = [
    [/^agents/, 'agent'],
    [/^tasks/, 'task'],
    [/^validators/, 'validator'],
    [/^challenges/, 'challenge'],
    [/^replay/, 'job'],
    [/^events/, 'event'],
  ];
  return kinds.find(([pattern]) => pattern.test(route))![1];
}

const ANSWERED = ROUTES.filter(
  (route): route is ReadRoute<never> => route.method === 'GET' && typeof READERS[route.id] === 'function',
);

export class RandomGets {
  constructor(
    private readonly random: SeededRandom,
    private readonly pools: Pools,
  ) {}

  #pick<T>(list: readonly T[]): T {
    return list[this.random.below(list.length)]!;
  }

  #value(route: string, name: string): string {
    return this.#pick(this.pools[poolOf(route, name)]!);
  }

  /** Three of four parameters are left out, so that many lists have something. */
  #parameter(route: string, param: QueryParam): [string, string][] {
    if (param.kind === 'page') {
      const page: [string, string] = ['page', String(1 + this.random.below(4))];
      const size: [string, string] = ['per_page', String(1 + this.random.below(30))];
      return this.random.below(3) === 0 ? [] : [page, size];
    }
    const isLeftOut = this.random.below(4) > 0 && !(param.kind === 'text' && param.required);
    if (isLeftOut) return [];
    if (param.kind === 'enum') return [[param.name, this.#pick([...param.values, 'unknown'])]];
    if (param.kind === 'int') return [[param.name, String(this.random.below(Math.min(param.max, 200) + 1))]];
    return [[param.name, this.#value(route, param.name)]];
  }

  next(): Get {
    const { id, path, query = [] } = this.#pick(ANSWERED);
    const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(this.#value(id, name)));
    const params = new URLSearchParams(query.flatMap((param) => this.#parameter(id, param)));
    return { id, url: params.size === 0 ? filled : `${filled}?${params}` };
  }
}
