// All lies about a document, one member at a time: dropped, changed, or invented, as the API description names them.

import type { Json } from './agent.ts';

/** Members of the JSON object, or of the elements of the list, that a path answers with. */
export function membersOf(openapi: Json, template: string): string[] {
  const schema = openapi.paths[template]?.get?.responses['200']?.content?.['application/json']?.schema;
  const { $ref } = schema?.items ?? schema ?? {};
  const object = openapi.components.schemas[($ref ?? '').split('/').at(-1)];
  return Object.keys(object?.properties ?? {});
}

export type Lie = { name: string; tell(document: Json): Json };

const otherThan = (value: Json): Json => {
  if (typeof value === 'number') return value + 1;
  if (typeof value === 'boolean') return !value;
  if (typeof value === 'string') return `${value}0`;
  if (Array.isArray(value)) return value.length === 0 ? [1] : value.slice(1);
  return value === null ? 1 : null;
};

const withMember = (
  document: Json,
  path: readonly (string | number)[],
  change: (parent: Json, key: string | number) => void,
): Json => {
  const copy = structuredClone(document);
  let parent = copy;
  for (const key of path.slice(0, -1)) parent = parent?.[key];
  // Not every element of a list has it.
  if (typeof parent !== 'object' || parent === null) return document;
  change(parent, path.at(-1)!);
  return copy;
};

/** Paths of the members that a document has, down to a depth. */
function* pathsOf(value: Json, depth: number): Generator<(string | number)[]> {
  if (depth === 0 || typeof value !== 'object' || value === null) return;
  for (const key of Array.isArray(value) ? value.keys() : Object.keys(value)) {
    yield [key];
    for (const rest of pathsOf(value[key], depth - 1)) yield [key, ...rest];
  }
}

/** All lies about a document that may have these members; of its own, down to a depth. */
export function liesAbout(document: Json, members: readonly string[], depth: number): Lie[] {
  const own = [...pathsOf(document, depth)];
  const told = own.flatMap((path): Lie[] => {
    const name = path.join('.');
    const drop = (d: Json) =>
      withMember(d, path, (parent, key) =>
        Array.isArray(parent) ? parent.splice(Number(key), 1) : delete parent[key],
      );
    const change = (d: Json) =>
      withMember(d, path, (parent, key) => Object.assign(parent, { [key]: otherThan(parent[key]) }));
    return [
      { name: `drop ${name}`, tell: drop },
      { name: `change ${name}`, tell: change },
    ];
  });
  const absent = [...members, 'a_member_of_no_protocol'].filter((name) => document[name] === undefined);
  const invented = absent.map(
    (name): Lie => ({ name: `invent ${name}`, tell: (d) => ({ ...d, [name]: 1 }) }),
  );
  return [...told, ...invented];
}
