// A request as it was read from a socket, by whichever thread: the parts of its request line, and its headers as a list.

import type { HttpRequest } from './http.ts';

const EMPTY = new Uint8Array(0);

export class RequestHead implements HttpRequest {
  body: Uint8Array = EMPTY;
  kept: unknown = undefined;
  vetted: HttpRequest['vetted'] = undefined;
  items: HttpRequest['items'] = undefined;
  onKey: HttpRequest['onKey'] = undefined;

  #address: string | (() => string);

  /** `address`: or what finds it out, as long as the socket can be asked. `headers`: lower-case name, value, name, value, ... */
  constructor(
    readonly method: string,
    readonly path: string,
    readonly query: string,
    address: string | (() => string),
    readonly headers: readonly string[],
  ) {
    this.#address = address;
  }

  get remoteAddress(): string {
    if (typeof this.#address !== 'string') this.#address = this.#address();
    return this.#address;
  }

  /** Called while the socket can still be asked, for a request that goes on after that. */
  keepAddress(): void {
    void this.remoteAddress;
  }

  header(name: string): string | undefined {
    let found: string | undefined;
    for (let i = 0; i < this.headers.length; i += 2) {
      if (this.headers[i] !== name) continue;
      const value = this.headers[i + 1]!;
      found = found === undefined ? value : `${found}, ${value}`;
    }
    return found;
  }
}
