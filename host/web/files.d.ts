// What the bundler makes of an import of a file that is no module.

declare module '*.wasm?url' {
  const url: string;
  export default url;
}

declare module '*.svg' {
  const url: string;
  export default url;
}

/** Node's alone: host/world/clock.ts names it, and nothing in the page calls that. */
declare function setImmediate(fn: () => void): void;
