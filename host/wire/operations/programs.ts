// Publishing programs (protocol 14.8).

import type { Operation } from './types.ts';

/** Base64 of the largest module, 262,144 bytes. */
const MAX_MODULE_TEXT = 349_528;

export const PROGRAM_OPERATIONS = {
  programPublish: {
    method: 'POST',
    path: '/v1/programs',
    fields: {
      module: {
        kind: 'str',
        min: 1,
        max: MAX_MODULE_TEXT,
        form: 'base64',
        required: true,
        doc: 'base64 of the WebAssembly module',
      },
    },
    example: { module: '{module}' },
    actors: ['agent_id'],
    scope: 'tasks',
    event: 'program_published',
    status: 201,
  },
} as const satisfies Record<string, Operation>;
