// gzip for long answers, on a thread of the runtime, so that no other request waits for it.
// Keeps: one answer is packed at a time. The runtime has few such threads, which the store needs too, and a machine few
// cores: a queue of answers to be packed would hold up the writes behind it. Whoever asked has paid with the bytes of the answer
// before it is packed (cost-budget.ts).

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

export class Packing {
  #isBusy = false;

  constructor(private readonly gzip: World['gzip']) {}

  /** The answer packed; as it is, at once, while another one is being packed. */
  pack(reply: HttpReply): HttpReply | Promise<HttpReply> {
    const answer = { ...reply, headers: { ...reply.headers, Vary: 'Accept-Encoding' } };
    return this.#isBusy ? answer : this.#packed(answer);
  }

  async #packed(reply: HttpReply): Promise<HttpReply> {
    this.#isBusy = true;
    try {
      const body = await this.gzip(reply.body);
      return { ...reply, headers: { ...reply.headers, 'Content-Encoding': 'gzip' }, body };
    } finally {
      this.#isBusy = false;
    }
  }
}
