// as-pect: the core's unit tests. Each spec is compiled with the files it imports; no build is needed.
// The features match those of asconfig.json, so that specs run the code that ships. The runtime is another one:
// specs allocate, and the stub runtime of the core takes memory up to its end, the arenas of the state included.

export default {
  entries: ['test/assembly/**/*.spec.ts'],
  include: ['test/assembly/**/*.include.ts'],
  disclude: [/node_modules/],
  outputBinary: false,
  coverage: [],
  async instantiate(memory, createImports, instantiate, binary) {
    const instance = instantiate(binary, createImports({ env: { memory } }));
    return instance;
  },
};
