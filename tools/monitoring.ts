// npm run monitoring: writes alert rules, their tests, their chapter and the dashboards anew.

import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { monitoringFiles } from './monitoring/files.ts';
import { optionsOf } from './options.ts';

optionsOf({
  name: 'monitoring',
  about: 'writes alert rules, their tests, their chapter and the dashboards anew.',
  options: {},
});
for (const [path, text] of Object.entries(monitoringFiles())) {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
  console.log(path);
}
