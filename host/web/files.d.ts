// What the bundler makes of an import of a file that is not a module.

declare module '*.wasm?url' {
  const url: string;
  export default url;
}

declare module '*.svg' {
  const url: string;
  export default url;
}

declare module '*?worker&inline' {
  const InlineWorker: new () => Worker;
  export default InlineWorker;
}
