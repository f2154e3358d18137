// Parameters of the API description: path segments, paging, filters.

import { queryExample, segmentExample } from './openapi-examples.ts';
import { MAX_PAGE, PAGE_DEFAULT } from './query.ts';
import type { QueryParam } from './route.ts';

export type Schema = Record<string, unknown>;
export interface ParameterDoc {
  name: string;
  in: 'path' | 'query' | 'header';
  required: boolean;
  description?: string;
  schema: Schema;
  /** Placeholders in braces. */
  example?: string | number;
}

/** On every read of the state. */
export const MIN_ORDER_PARAMETER: ParameterDoc = {
  name: 'X-Service-Min-Order',
  in: 'header',
  required: false,
  description: 'answer when this order is executed, or 503 behind after 2 s',
  schema: { type: 'integer', minimum: 0 },
  example: 0,
};

const exampleMember = (example: string | number | undefined): { example?: string | number } =>
  example === undefined ? {} : { example };

/** One for each parameter of a path. */
export function pathParameters(path: string): ParameterDoc[] {
  return [...path.matchAll(/\{([^}]+)\}/g)].map(([, name]) => ({
    name: name!,
    in: 'path',
    required: true,
    schema: { type: 'string' },
    ...exampleMember(segmentExample(path, name!)),
  }));
}

function pageParameters(usualSize = PAGE_DEFAULT): ParameterDoc[] {
  const parameter = (name: string, description: string, schema: Schema, example: number): ParameterDoc => ({
    name,
    in: 'query',
    required: false,
    description,
    schema: { type: 'integer', minimum: 1, ...schema },
    example,
  });
  return [
    parameter('page', 'page number, from 1', { default: 1 }, 1),
    parameter(
      'per_page',
      `page size, at most ${MAX_PAGE}: larger values are lowered to it`,
      { default: usualSize },
      20,
    ),
    parameter('limit', 'alias of per_page; if both are given, per_page wins', {}, 20),
  ];
}

/** A value that is too large is lowered unless the parameter is strict, so the schema has no maximum for it. */
function describe(param: Exclude<QueryParam, { kind: 'page' }>): { description?: string } {
  const lowered = param.kind === 'int' && !param.strict && param.max < Number.MAX_SAFE_INTEGER;
  const parts = [param.doc, lowered ? `at most ${param.max}: larger values are lowered to it` : undefined];
  const description = parts.filter(Boolean).join('; ');
  return description ? { description } : {};
}

/** Parameters of one row of a route's query. */
export function queryParameters(param: QueryParam): ParameterDoc[] {
  if (param.kind === 'page') return pageParameters(param.size);
  const schemas: Record<string, () => Schema> = {
    int: () => {
      const { min, max, strict, default: value } = param as Extract<QueryParam, { kind: 'int' }>;
      const maximum = strict ? { maximum: max } : {};
      return {
        type: 'integer',
        minimum: min,
        ...maximum,
        ...(value === undefined ? {} : { default: value }),
      };
    },
    enum: () => {
      const { values, default: value } = param as Extract<QueryParam, { kind: 'enum' }>;
      // An empty value counts as absent.
      return { type: 'string', enum: [...values, ''], ...(value === undefined ? {} : { default: value }) };
    },
    text: () => ({ type: 'string' }),
  };
  return [
    {
      name: param.name,
      in: 'query',
      required: param.kind === 'text' && param.required === true,
      ...describe(param),
      schema: schemas[param.kind]!(),
      ...exampleMember(queryExample(param)),
    },
  ];
}
