// gzip for long answers, on a thread of the runtime, so that no other request waits for it.

import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { HttpReply } from './http.ts';

/** Most of the possible saving in a fifth of the default level's time: half of a vertex is hashes and signatures. */
const LEVEL = 1;
const pack = promisify(gzip);

/** True when an Accept-Encoding header accepts gzip: by name or `*`, and not with weight 0. */
export function takesGzip(accepted: string | undefined): boolean {
  for (const item of (accepted ?? '').toLowerCase().split(',')) {
    const [name, ...parameters] = item.split(';').map((part) => part.trim());
    if (name !== 'gzip' && name !== '*') continue;
    return !parameters.some((parameter) => /^q=0(\.0*)?$/.test(parameter));
  }
  return false;
}

export async function packed(reply: HttpReply): Promise<HttpReply> {
  const body = await pack(reply.body, { level: LEVEL });
  return {
    ...reply,
    headers: { ...reply.headers, 'Content-Encoding': 'gzip', Vary: 'Accept-Encoding' },
    body,
  };
}
