// Checks whether bytes are one JSON object or array (RFC 8259), without building it.
// Keeps: no recursion and no built-in parser, so the result never depends on stack size or platform.

const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;
const OPEN_ARRAY = 0x5b;
const CLOSE_ARRAY = 0x5d;
const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const COLON = 0x3a;
const LITERALS = ['true', 'false', 'null'].map((text) => Uint8Array.from(text, (c) => c.charCodeAt(0)));
const ESCAPED = new Set(Uint8Array.from('"\\/bfnrt', (c) => c.charCodeAt(0)));

/** The byte at an index; past the end 0, which never occurs in valid JSON. */
const byteAt = (bytes: Uint8Array, at: number): number => (at < bytes.length ? bytes[at]! : 0);
const isDigit = (byte: number): boolean => byte >= 0x30 && byte <= 0x39;
const isSpace = (byte: number): boolean => byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;
const isHexDigit = (byte: number): boolean => isDigit(byte) || ((byte | 32) >= 0x61 && (byte | 32) <= 0x66);

function skipSpace(bytes: Uint8Array, at: number): number {
  let i = at;
  while (isSpace(byteAt(bytes, i))) i++;
  return i;
}

/** Index after the string that begins with a quote at `at`, -1 if there is none. */
function stringEnd(bytes: Uint8Array, at: number): number {
  if (byteAt(bytes, at) !== QUOTE) return -1;
  for (let i = at + 1; i < bytes.length; i++) {
    const byte = bytes[i]!;
    if (byte === QUOTE) return i + 1;
    if (byte < 0x20) return -1;
    if (byte !== BACKSLASH) continue;
    const escaped = byteAt(bytes, ++i);
    if (ESCAPED.has(escaped)) continue;
    if (escaped !== 0x75) return -1;
    for (let k = 0; k < 4; k++) if (!isHexDigit(byteAt(bytes, ++i))) return -1;
  }
  return -1;
}

function digitsEnd(bytes: Uint8Array, at: number): number {
  let i = at;
  while (isDigit(byteAt(bytes, i))) i++;
  return i > at ? i : -1;
}

/** Index after the number at `at`, -1 if there is none. */
function numberEnd(bytes: Uint8Array, at: number): number {
  let i = byteAt(bytes, at) === 0x2d ? at + 1 : at;
  i = byteAt(bytes, i) === 0x30 ? i + 1 : digitsEnd(bytes, i);
  if (i >= 0 && byteAt(bytes, i) === 0x2e) i = digitsEnd(bytes, i + 1);
  if (i >= 0 && (byteAt(bytes, i) | 32) === 0x65) {
    const sign = byteAt(bytes, i + 1);
    i = digitsEnd(bytes, i + (sign === 0x2b || sign === 0x2d ? 2 : 1));
  }
  return i;
}

/** Index after the string, number or literal at `at`, -1 if there is none. */
function scalarEnd(bytes: Uint8Array, at: number): number {
  const first = byteAt(bytes, at);
  if (first === QUOTE) return stringEnd(bytes, at);
  if (first < 0x61) return numberEnd(bytes, at);
  const literal = LITERALS.find((text) => text.every((byte, k) => byteAt(bytes, at + k) === byte));
  return literal === undefined ? -1 : at + literal.length;
}

/** Index of the next value inside an object, after `"name" :`; -1 if there is none. */
function memberValueAt(bytes: Uint8Array, at: number): number {
  const end = stringEnd(bytes, at);
  if (end < 0) return -1;
  const colon = skipSpace(bytes, end);
  return byteAt(bytes, colon) === COLON ? skipSpace(bytes, colon + 1) : -1;
}

/** True when `bytes` hold exactly one JSON object or array, with white space around it. */
export function isJsonContainer(bytes: Uint8Array): boolean {
  let at = skipSpace(bytes, 0);
  if (byteAt(bytes, at) !== OPEN_OBJECT && byteAt(bytes, at) !== OPEN_ARRAY) return false;
  // The bracket that closes each container still open.
  const open = new Uint8Array(bytes.length);
  let depth = 0;
  for (;;) {
    const byte = byteAt(bytes, at);
    if (byte === OPEN_OBJECT || byte === OPEN_ARRAY) {
      const close = byte === OPEN_OBJECT ? CLOSE_OBJECT : CLOSE_ARRAY;
      open[depth++] = close;
      at = skipSpace(bytes, at + 1);
      if (byteAt(bytes, at) !== close) {
        if (close === CLOSE_OBJECT) at = memberValueAt(bytes, at);
        if (at < 0) return false;
        continue;
      }
    } else {
      at = scalarEnd(bytes, at);
      if (at < 0) return false;
      at = skipSpace(bytes, at);
    }
    while (depth > 0 && byteAt(bytes, at) === open[depth - 1]) {
      depth--;
      at = skipSpace(bytes, at + 1);
    }
    if (depth === 0) return at === bytes.length;
    if (byteAt(bytes, at) !== COMMA) return false;
    at = skipSpace(bytes, at + 1);
    if (open[depth - 1] === CLOSE_OBJECT) at = memberValueAt(bytes, at);
    if (at < 0) return false;
  }
}
