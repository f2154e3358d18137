// The thread of the verifier, from a file beside the page. The page that is one file has its own (one-file/open-worker.ts).

export const openWorker = (): Worker =>
  new Worker(new URL('./worker.ts', import.meta.url), { type: 'module' });
