// gzip for long answers, on a thread of the runtime, so that no other request waits for it.

import type { HttpReply } from '../world/http.ts';
import type { World } from '../world/world.ts';

/** True when an Accept-Encoding header accepts gzip: by name or `*`, and not with weight 0. */
export function takesGzip(accepted: string | undefined): boolean {
  for (const item of (accepted ?? '').toLowerCase().split(',')) {
    const [name, ...parameters] = item.split(';').map((part) => part.trim());
    if (name !== 'gzip' && name !== '*') continue;
    return !parameters.some((parameter) => /^q=0(\.0*)?$/.test(parameter));
  }
  return false;
}

export async function packed(reply: HttpReply, gzip: World['gzip']): Promise<HttpReply> {
  const body = await gzip(reply.body);
  return {
    ...reply,
    headers: { ...reply.headers, 'Content-Encoding': 'gzip', Vary: 'Accept-Encoding' },
    body,
  };
}
