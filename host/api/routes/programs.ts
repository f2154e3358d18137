// Routes of programs (protocol 4.13).

import type { ReadContext } from '../context.ts';
import * as programs from '../handlers/programs.ts';
import type { ReadRoute, WriteRoute } from '../route.ts';
import { get } from './get.ts';

/** The largest module in base64, and the members around it. */
const PROGRAM_BODY_BYTES = 360_448;

export const PROGRAM_READS: ReadRoute<ReadContext>[] = [
  get('/v1/programs/{program}', 'programs_get', 'A program by its hash', 'Program', programs.program, {
    query: [{ kind: 'enum', name: 'include_module', values: ['true', 'false'], default: 'false' }],
    errors: ['program_not_found'],
  }),
];

export const PROGRAM_WRITES: WriteRoute[] = [
  {
    method: 'POST',
    path: '/v1/programs',
    id: 'programs_publish',
    summary: 'Publish a program that contracts can name',
    operation: 'programPublish',
    reply: 'Program',
    errors: ['insufficient_balance', 'program_exists'],
    limit: 'programs',
    maxBodyBytes: PROGRAM_BODY_BYTES,
  },
];
