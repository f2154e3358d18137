// as-pect: the core's unit tests. Each spec is compiled with the files it imports; no build is needed.
// The features match those of asconfig.json, so that specs run the code that ships. The runtime is another one:
// specs allocate, and the stub runtime of the core takes memory up to its end, the arenas of the state included.
// VWS_SPECS=1/2 runs one of two parts of them: every second file, in order of their names.

import { readdirSync } from 'node:fs';

function specs() {
  const folder = 'test/assembly';
  const [part, parts] = (process.env.VWS_SPECS ?? '1/1').split('/').map(Number);
  return readdirSync(folder, { recursive: true })
    .filter((name) => name.endsWith('.spec.ts'))
    .sort()
    .filter((_, i) => i % parts === part - 1)
    .map((name) => `${folder}/${name}`);
}

export default {
  entries: specs(),
  include: ['test/assembly/**/*.include.ts'],
  disclude: [/node_modules/],
  outputBinary: false,
  coverage: [],
  async instantiate(memory, createImports, instantiate, binary) {
    const instance = instantiate(binary, createImports({ env: { memory } }));
    return instance;
  },
};
