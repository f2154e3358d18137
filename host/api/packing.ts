// gzip for answers that are long: packed on a thread of the runtime, so that no other request waits for it.

import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { HttpReply } from './http.ts';

/** Most of what there is to gain, for a fifth of the time of the default: half of a vertex is hashes and signatures. */
const LEVEL = 1;
const pack = promisify(gzip);

/** Does a client's Accept-Encoding take gzip: named, or anything, and not with weight 0. */
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
