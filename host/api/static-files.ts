// The explorer page: all files of build/web, loaded into memory at start.
// Keeps: only files present at start are served, by exact path, so no request reaches the disk; each file is sent in the
// best encoding that the client accepts, with a policy that blocks everything from other hosts.

import { sha256Hex } from '../wire/hash.ts';
import type { HttpReply, HttpRequest } from '../world/http.ts';

/** By file extension; other files are application/octet-stream. */
const TYPES: Readonly<Record<string, string>> = {
  html: 'text/html; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  json: 'application/json; charset=utf-8',
  svg: 'image/svg+xml',
  png: 'image/png',
  txt: 'text/plain; charset=utf-8',
  wasm: 'application/wasm',
};
/** Encodings that the build may have created next to a file, best first. */
const CODINGS = [
  ['br', '.br'],
  ['gzip', '.gz'],
] as const;
/** A file name that contains the hash of its content, as written by the bundler: such a file never changes. */
const HASHED = /-[\w-]{8}\.\w+$/;

// Scripts, styles and workers may come from this node only; WebAssembly may be compiled, eval is forbidden.
const POLICY = [
  "default-src 'none'",
  "script-src 'self' 'wasm-unsafe-eval'",
  "worker-src 'self'",
  "style-src 'self'",
  "connect-src 'self' ws: wss:",
  "img-src 'self' data:",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

interface StaticFile {
  plain: Uint8Array;
  coded: ReadonlyMap<string, Uint8Array>;
  headers: Readonly<Record<string, string>>;
}

export class StaticFiles {
  readonly #files = new Map<string, StaticFile>();

  /** `files`: the files to serve, by path relative to the root. `index.html` is served at `/`. */
  constructor(files: ReadonlyMap<string, Uint8Array>) {
    for (const [name, plain] of files) {
      const isCodedForm = CODINGS.some(
        ([, end]) => name.endsWith(end) && files.has(name.slice(0, -end.length)),
      );
      if (!isCodedForm) this.#files.set(name === 'index.html' ? '/' : `/${name}`, fileOf(name, plain, files));
    }
  }

  has(path: string): boolean {
    return this.#files.has(path);
  }

  /** The answer to a GET or HEAD, or undefined when no file has this path. */
  find(request: Pick<HttpRequest, 'path' | 'header'>): HttpReply | undefined {
    const file = this.#files.get(request.path);
    if (!file) return undefined;
    const { ETag: tag } = file.headers;
    if (request.header('if-none-match') === tag) return { status: 304, headers: file.headers, body: '' };
    const accepted = new Set((request.header('accept-encoding') ?? '').split(',').map(codingName));
    for (const [coding] of CODINGS) {
      const body = file.coded.get(coding);
      if (body && accepted.has(coding)) {
        return { status: 200, headers: { ...file.headers, 'Content-Encoding': coding }, body };
      }
    }
    return { status: 200, headers: file.headers, body: file.plain };
  }
}

/** Weight 0, as in `gzip;q=0`, refuses an encoding; any other weight accepts it. */
function codingName(part: string): string {
  const [name = '', weight = ''] = part.toLowerCase().split(';', 2);
  return /^\s*q=0(\.0*)?\s*$/.test(weight) ? '' : name.trim();
}

function fileOf(name: string, plain: Uint8Array, files: ReadonlyMap<string, Uint8Array>): StaticFile {
  const coded = new Map<string, Uint8Array>();
  for (const [coding, end] of CODINGS) {
    const bytes = files.get(name + end);
    if (bytes) coded.set(coding, bytes);
  }
  return {
    plain,
    coded,
    headers: {
      'Content-Type': TYPES[name.slice(name.lastIndexOf('.') + 1)] ?? 'application/octet-stream',
      'Cache-Control': HASHED.test(name) ? 'public, max-age=31536000, immutable' : 'no-cache',
      // Weak and computed from the plain bytes, since all encodings share it.
      ETag: `W/"${sha256Hex(plain).slice(0, 32)}"`,
      Vary: 'Accept-Encoding',
      'Content-Security-Policy': POLICY,
      'X-Content-Type-Options': 'nosniff',
      'Referrer-Policy': 'no-referrer',
      'Access-Control-Allow-Origin': '*',
    },
  };
}
