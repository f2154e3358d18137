// What runs beside a node must not build anew what that node runs from: it needs a build, and says so where there is none.

import { existsSync } from 'node:fs';

if (!existsSync('build/host/cli/main.js')) {
  console.error(
    'error: the program is not built yet: npm start and npm run build do that, the first time in some minutes',
  );
  process.exit(1);
}
