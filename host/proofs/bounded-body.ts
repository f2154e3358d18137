// Reads the body of an answer piece by piece, after decompression, and stops at a bound: a few megabytes of gzip must not
// become gigabytes of memory.

import { LogFault } from '../wire/log-fault.ts';

/** Errors: LogFault `bound`; those of the connection. */
export async function boundedBody(
  response: Response,
  path: string,
  maxBytes: number,
): Promise<Uint8Array<ArrayBuffer>> {
  const reader = response.body?.getReader();
  if (!reader) return new Uint8Array(0);
  const parts: Uint8Array[] = [];
  let bytes = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    bytes += value.length;
    if (bytes > maxBytes) {
      // Nobody waits for the end of what is not read.
      reader.cancel().catch(() => {});
      throw new LogFault('bound', `the node's answer to ${path} is longer than ${maxBytes} bytes`);
    }
    parts.push(value);
  }
  const whole = new Uint8Array(bytes);
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}
