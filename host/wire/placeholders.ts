// Placeholders of the examples: the values that must be replaced before an example is sent.
// Keeps: a placeholder is written `{name}`, in braces and alone in its value, and every name is in this table, so
// that no reader mistakes one for an id. Nothing else in an example has braces.

/** Name -> what to put in its place. */
export const PLACEHOLDERS = {
  agent_id:
    'agent_id or hex public key of a registered agent; your own where the path names the acting agent',
  task_id: 'id of a task in a state that allows the request',
  event_id: 'id of an event; for a verdict one that GET /v1/pending lists',
  validator_id: 'id of a validator, or agent_id of its operator',
  challenge_id: 'id of an open challenge',
  job_id: 'id of a replay job, which its executor answers',
  address: 'deposit address of a registered agent',
  key_id: 'key_id of an API key, not the key itself',
  vertex_hash: 'hash of an ordered vertex',
  program_hash: 'hash of a program, such as one that a task with a contract names',
  module: 'base64 of a WebAssembly module that nobody has published',
  node_key: 'consensus_public_key of the validator that GET /v1/status of the node names',
} as const satisfies Record<string, string>;

export type Placeholder = keyof typeof PLACEHOLDERS;

const FORM = /^\{(\w+)\}$/;

/** The placeholder in a value of an example, or undefined. Throws for a name that is not in the table. */
export function placeholderIn(value: unknown): Placeholder | undefined {
  const name = typeof value === 'string' ? FORM.exec(value)?.[1] : undefined;
  if (name === undefined) return undefined;
  if (!Object.hasOwn(PLACEHOLDERS, name)) throw new Error(`no placeholder ${name}`);
  return name as Placeholder;
}

/** The example with each placeholder replaced. */
export function fillPlaceholders<T>(example: T, fill: (name: Placeholder) => string): T {
  const name = placeholderIn(example);
  if (name !== undefined) return fill(name) as T;
  if (Array.isArray(example)) return example.map((one) => fillPlaceholders(one, fill)) as T;
  if (typeof example !== 'object' || example === null) return example;
  const entries = Object.entries(example).map(([key, one]) => [key, fillPlaceholders(one, fill)]);
  return Object.fromEntries(entries) as T;
}
