// The generated part of the Python SDK is what the tables of this tree give; nothing else of it needs Python to be checked.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { buildOpenApi } from '../../host/api/openapi.ts';
import { ROUTES } from '../../host/api/routes.ts';
import { PYTHON_FOLDER, pythonFiles } from '../../tools/sdk/python.ts';

const FILES = pythonFiles(buildOpenApi(ROUTES, ''));

describe('the Python SDK', () => {
  it.each(Object.keys(FILES))('has %s as it is generated: else run `npm run sdk`', (name) => {
    expect(readFileSync(join(PYTHON_FOLDER, name), 'utf8')).toBe(FILES[name]);
  });

  it('knows how the answer of each write is made again, by a row for its operation', () => {
    const text = readFileSync(join(PYTHON_FOLDER, '_lost_answers.py'), 'utf8');
    const rows = [
      ...text
        .split('REBUILD:')[1]!
        .split('\n}\n')[0]!
        .matchAll(/^ {4}"(\w+)": /gm),
    ].map(([, id]) => id);
    const writes = ROUTES.filter((route) => 'operation' in route).map(({ id }) => id);
    expect(rows.sort()).toEqual(writes.sort());
  });
});
