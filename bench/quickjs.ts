// QuickJS in WebAssembly, as a peer of programs: a JavaScript engine that is isolated as they are.
// Keeps: each run has a context of its own, as each run of a program has an instance; it compiles its function each time,
// as QuickJS has no code that is kept between contexts.

import { newQuickJSWASMModuleFromVariant } from 'quickjs-emscripten-core';

export type QuickJs = Awaited<ReturnType<typeof openQuickJs>>;

export async function openQuickJs() {
  const engine = await newQuickJSWASMModuleFromVariant(import('@jitl/quickjs-wasmfile-release-sync'));
  return {
    /** Whether a function of its source says yes to a text. */
    judge(source: string, text: string): boolean {
      using context = engine.newContext();
      using global = context.newString(text);
      context.setProp(context.global, 'text', global);
      using result = context.unwrapResult(context.evalCode(`(${source})(text)`));
      return context.dump(result) === true;
    },
  };
}
