// Parameters of the API description: path segments, paging, filters.

import type { QueryParam } from './route.ts';

export type Schema = Record<string, unknown>;
export interface ParameterDoc {
  name: string;
  in: 'path' | 'query';
  required: boolean;
  description?: string;
  schema: Schema;
}

/** One for each template of a path. */
export function pathParameters(path: string): ParameterDoc[] {
  return [...path.matchAll(/\{([^}]+)\}/g)].map(([, name]) => ({
    name: name!,
    in: 'path',
    required: true,
    schema: { type: 'string' },
  }));
}

function pageParameters(): ParameterDoc[] {
  const parameter = (name: string, description: string, schema: Schema): ParameterDoc => ({
    name,
    in: 'query',
    required: false,
    description,
    schema: { type: 'integer', minimum: 1, ...schema },
  });
  return [
    parameter('page', 'page number from 1', { default: 1 }),
    parameter('per_page', 'page size; larger values are lowered to the maximum', {
      default: 50,
      maximum: 200,
    }),
    parameter('limit', 'alias of per_page, which wins', { maximum: 200 }),
  ];
}

/** What one row of a route's query stands for. */
export function queryParameters(param: QueryParam): ParameterDoc[] {
  if (param.kind === 'page') return pageParameters();
  const schemas: Record<string, () => Schema> = {
    int: () => {
      const { min, max, default: value } = param as Extract<QueryParam, { kind: 'int' }>;
      return { type: 'integer', minimum: min, maximum: max, default: value };
    },
    enum: () => {
      const { values, default: value } = param as Extract<QueryParam, { kind: 'enum' }>;
      return { type: 'string', enum: values, ...(value === undefined ? {} : { default: value }) };
    },
    text: () => ({ type: 'string' }),
  };
  return [
    {
      name: param.name,
      in: 'query',
      required: param.kind === 'text' && param.required === true,
      ...(param.doc ? { description: param.doc } : {}),
      schema: schemas[param.kind]!(),
    },
  ];
}
