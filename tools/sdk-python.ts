// npm run sdk: writes the generated files of the Python SDK anew.

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildOpenApi } from '../host/api/openapi.ts';
import { ROUTES } from '../host/api/routes.ts';
import { optionsOf } from './options.ts';
import { PYTHON_FOLDER, pythonFiles } from './sdk/python.ts';

optionsOf({ name: 'sdk', about: 'writes the generated files of the Python SDK anew.', options: {} });
for (const [name, text] of Object.entries(pythonFiles(buildOpenApi(ROUTES, '')))) {
  writeFileSync(join(PYTHON_FOLDER, name), text);
  console.log(`${PYTHON_FOLDER}/${name}`);
}
