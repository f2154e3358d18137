// as-pect: the core's unit tests. Several specs are compiled together with the core, since its part takes the most time; no
// build is needed. Each spec lays out states of its own in one memory, which has room for those of SPECS_TOGETHER.
// The features match those of asconfig.json, so that specs run the code that ships. The runtime is another one:
// specs allocate, and the stub runtime of the core takes memory up to its end, the arenas of the state included.
// VWS_SPECS=1/2 runs one of two parts of them; VWS_SPECS=tasks/disputes those whose path has this text.

import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';

const FOLDER = 'test/assembly';
const TOGETHER = 'build/specs';
const SPECS_TOGETHER = 12;

const wanted = process.env.VWS_SPECS ?? '1/1';
const [, part, parts] = /^(\d+)\/(\d+)$/.exec(wanted) ?? [];

/** Paths of the specs, one list for each file that is compiled. */
function groups() {
  const all = readdirSync(FOLDER, { recursive: true })
    .filter((name) => name.endsWith('.spec.ts'))
    .sort();
  const asked = part ? all : all.filter((name) => name.includes(wanted));
  const count = Math.ceil(asked.length / SPECS_TOGETHER);
  const made = Array.from({ length: count }, (_, g) => asked.filter((_, i) => i % count === g));
  const isOurs = (g) => !part || g % parts === part - 1;
  return made.map((specs, g) => ({ specs, number: g + 1 })).filter((_, g) => isOurs(g));
}

/** Writes a file that imports them, for each list; answers their paths. */
function entries() {
  mkdirSync(TOGETHER, { recursive: true });
  return groups().map(({ specs, number }) => {
    const path = `${TOGETHER}/${number}.ts`;
    writeFileSync(path, specs.map((spec) => `import '../../${FOLDER}/${spec.slice(0, -3)}';\n`).join(''));
    return path;
  });
}

export default {
  entries: entries(),
  include: ['test/assembly/**/*.include.ts'],
  disclude: [/node_modules/],
  outputBinary: false,
  coverage: [],
  async instantiate(memory, createImports, instantiate, binary) {
    const instance = instantiate(binary, createImports({ env: { memory } }));
    return instance;
  },
};
