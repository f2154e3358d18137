// The head of a request between two threads: one text, in which a header is looked for when it is asked for. Most headers
// never are, and a string for each name and value would outlive the young generation of the collector.
//   method \n path \n query \n address, then for each header \n name \r value

import type { HttpRequest } from '../world/http.ts';
import type { RequestHead } from '../world/request-head.ts';

const EMPTY = new Uint8Array(0);
const LINE_PART = '\n';
const VALUE = '\r';
const BREAK = /[\r\n]/;

/** Names that the service asks for, as they stand in the text. */
const needles = new Map<string, string>();
/** More than the service has names of headers. */
const MAX_NEEDLES = 64;

function needleOf(name: string): string {
  const known = needles.get(name);
  if (known !== undefined) return known;
  const needle = LINE_PART + name + VALUE;
  if (needles.size < MAX_NEEDLES) needles.set(name, needle);
  return needle;
}

/** Can the parts be told apart: no line of HTTP has a break in it, but a text of JSON may, and some parsers are lenient. */
export const isPlain = ({ method, path, query, headers }: RequestHead): boolean =>
  !BREAK.test(method) && !BREAK.test(path) && !BREAK.test(query) && !BREAK.test(headers.join(''));

/** The text of a plain head. */
export function headText({ method, path, query, remoteAddress, headers }: RequestHead): string {
  let text = method + LINE_PART + path + LINE_PART + query + LINE_PART + remoteAddress;
  for (let i = 0; i < headers.length; i += 2) text += LINE_PART + headers[i] + VALUE + headers[i + 1];
  return text;
}

export class PacketHead implements HttpRequest {
  readonly method: string;
  readonly path: string;
  readonly query: string;
  readonly remoteAddress: string;
  body: Uint8Array = EMPTY;
  kept: unknown = undefined;
  vetted: HttpRequest['vetted'] = undefined;
  items: HttpRequest['items'] = undefined;
  onKey: HttpRequest['onKey'] = undefined;
  /** Where the headers begin. */
  readonly #from: number;

  /** `text`: as `headText` made it. */
  constructor(private readonly text: string) {
    const path = text.indexOf(LINE_PART) + 1;
    const query = text.indexOf(LINE_PART, path) + 1;
    const address = text.indexOf(LINE_PART, query) + 1;
    const headers = text.indexOf(LINE_PART, address);
    this.method = text.slice(0, path - 1);
    this.path = text.slice(path, query - 1);
    this.query = text.slice(query, address - 1);
    this.#from = headers < 0 ? text.length : headers;
    this.remoteAddress = text.slice(address, this.#from);
  }

  header(name: string): string | undefined {
    const needle = needleOf(name);
    let found: string | undefined;
    let at = this.text.indexOf(needle, this.#from);
    while (at >= 0) {
      const from = at + needle.length;
      const next = this.text.indexOf(LINE_PART, from);
      const value = this.text.slice(from, next < 0 ? this.text.length : next);
      found = found === undefined ? value : `${found}, ${value}`;
      at = next < 0 ? -1 : this.text.indexOf(needle, next);
    }
    return found;
  }
}
