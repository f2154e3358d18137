// Examples of the API description: values of parameters, and answers.
// Keeps: examples of bodies are defined with their operations; the example of a parameter follows from its name; the
// example of an answer is generated from the table of objects, with exactly the members that are always present.
// Values in braces are placeholders (wire/placeholders.ts). A test executes requests built from these examples.

import type { Placeholder } from '../wire/placeholders.ts';
import { PROOF_ITEMS, PROOF_LISTS } from '../wire/proof-kinds.ts';
import { isObjectName } from './object-schema.ts';
import type { ObjectFields, SCALARS } from './object-types.ts';
import { OBJECTS } from './objects.ts';
import type { QueryParam } from './route.ts';

/** The placeholder for `{id}` in a path, by the segment after /v1/. */
const IDS: Readonly<Record<string, Placeholder>> = {
  agents: 'agent_id',
  tasks: 'task_id',
  events: 'event_id',
  validators: 'validator_id',
  challenges: 'challenge_id',
  replay: 'job_id',
  proof: 'agent_id',
};
/** Placeholders for other path parameters. */
const SEGMENTS: Readonly<Record<string, Placeholder>> = {
  agent_id: 'agent_id',
  address: 'address',
  key: 'key_id',
  hash: 'vertex_hash',
  program: 'program_hash',
};

/** Example of a path parameter; undefined for a name in none of the tables. */
export function segmentExample(path: string, name: string): string | undefined {
  // Documents are of kinds, which have names; lists of them have others.
  if (name === 'kind') return path.endsWith('}/{id}') ? PROOF_ITEMS[0] : PROOF_LISTS[0];
  const word = name === 'id' ? IDS[path.split('/')[2]!] : SEGMENTS[name];
  return word && `{${word}}`;
}

/** Examples of query parameters that are text or numbers without default, by name. */
const VALUES: Readonly<Record<string, string | number>> = {
  agent_id: '{agent_id}',
  poster_id: '{agent_id}',
  claimer_id: '{agent_id}',
  challenger_id: '{agent_id}',
  target_id: '{validator_id}',
  executor_id: '{validator_id}',
  task_id: '{task_id}',
  assigned_to: '{validator_id}',
  category: 'research',
  branch_id: 'main',
  q: 'harbour log',
  filter: 'transfer,settlement',
  since: 0,
  after: '61',
  max_budget: 5_000_000,
  min_reputation: 2_000,
};

/** Example of a query parameter other than paging; undefined for a name in none of the tables. */
export function queryExample(param: Exclude<QueryParam, { kind: 'page' }>): string | number | undefined {
  if (param.kind === 'text') return VALUES[param.name];
  return param.default ?? (param.kind === 'enum' ? param.values[0] : VALUES[param.name]);
}

const SAMPLES: Record<keyof typeof SCALARS, unknown> = {
  str: '',
  bool: true,
  int: 1,
  u: 2_500_000,
  ts: 1_800_000_000,
  bp: 5_000,
  ratio: 0.5,
  score: 50,
  num: 1,
  hex64: 'ab'.repeat(32),
  hex128: 'ab'.repeat(64),
  obj: {},
  any: 1,
};

/** Sample of a text: the first choice of a list, the value of a constant, otherwise the description itself. */
function sampleText(meaning: string): string {
  const constant = /^always (\S+)$/.exec(meaning)?.[1];
  return constant ?? /^(\w+)(?:, \w+)* or \w+$/.exec(meaning)?.[1] ?? meaning;
}

/** Sample answer of a type of the table of objects; `meaning`: description of the field. */
export function sampleOf(type: string, meaning = 'text'): unknown {
  if (type.endsWith('[]')) return [sampleOf(type.slice(0, -2), meaning)];
  const value = /^map<(.+)>$/.exec(type)?.[1];
  if (value !== undefined) return { name: sampleOf(value, meaning) };
  if (isObjectName(type)) {
    const fields = Object.entries(OBJECTS[type] as ObjectFields);
    const always = fields.filter(([, [, presence]]) => presence === 'A');
    return Object.fromEntries(always.map(([name, [of, , doc]]) => [name, sampleOf(of, doc)]));
  }
  return type === 'str' ? sampleText(meaning) : SAMPLES[type as keyof typeof SCALARS];
}
