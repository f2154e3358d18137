// as-pect: the core's unit tests. Each spec is compiled with the files it imports; no build is needed.
// The features match those of asconfig.json, so that specs run the code that ships.

export default {
  entries: ['test/assembly/validators/*.spec.ts', 'test/assembly/router/trees.spec.ts'],
  include: ['test/assembly/**/*.include.ts'],
  disclude: [/node_modules/],
  outputBinary: false,
  coverage: [],
  async instantiate(memory, createImports, instantiate, binary) {
    const instance = instantiate(binary, createImports({ env: { memory } }));
    return instance;
  },
};
