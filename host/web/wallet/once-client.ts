// The client of a key on this page: whoever presses again after an answer was lost does the same thing, not the same once more.
// Keeps: while it is open what became of a write, the same write is the same signed request. Known to this visit alone.

import type { Rebuild } from '../../client/calls.ts';
import { type SignedRequest, VwsClient, VwsError } from '../../client/index.ts';

export class OnceClient extends VwsClient {
  /** Requests whose outcome is open, by what they are to do. */
  readonly #open = new Map<string, SignedRequest>();

  override async write<T>(method: string, path: string, body: object, rebuild?: Rebuild<T>): Promise<T> {
    const content = JSON.stringify([method, path, body]);
    const request = (await this.#before(content)) ?? (await this.prepare(method, path, body));
    this.#open.set(content, request);
    try {
      const answer = await this.submit(request, rebuild);
      this.#open.delete(content);
      return answer;
    } catch (error) {
      if (!(error instanceof VwsError && error.request)) this.#open.delete(content);
      throw error;
    }
  }

  /** The request of an earlier press that may have run, or may still. */
  async #before(content: string): Promise<SignedRequest | undefined> {
    const request = this.#open.get(content);
    if (!request) return undefined;
    return (await this.fate(request)).kind === 'never' ? undefined : request;
  }
}
