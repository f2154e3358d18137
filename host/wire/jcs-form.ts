// Recognises a body that is already in JCS form (RFC 8785), in one pass over its bytes and without building anything.
// Keeps: whatever JSON.parse takes of what passes here has exactly these bytes as its canonical form, so their hash is the
// hash of the body (protocol 5.2). What does not pass may still be in JCS form; it is then parsed and written anew, which
// gives the same hash, only slower.
//
// Passes: one object; no white space; member names of U+0020 to U+007E without " and \, ascending in each object; strings
// with the escapes that JCS writes; numbers as JCS writes them, of which 1,000 at most are not integers of 1 to 15 digits;
// at most 32 levels. Source: protocol 5.2.

const MAX_LEVELS = 32;
const MAX_OTHER_NUMBERS = 1_000;
const MAX_SHORT_DIGITS = 15;
/** -1.7976931348623157e+308 is as long as a number in JCS form gets; those with many zeros have 26 at most. */
const MAX_NUMBER_CHARS = 32;

const [QUOTE, BACKSLASH, COMMA, COLON, MINUS] = [0x22, 0x5c, 0x2c, 0x3a, 0x2d] as const;
const [OPEN_ARRAY, CLOSE_ARRAY, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d] as const;
const [ZERO, NINE] = [0x30, 0x39] as const;
const LITERALS = ['true', 'false', 'null'].map((word) => Array.from(word, (char) => char.charCodeAt(0)));
/** After a backslash, besides u00xx: b f n r t " \ */
const ESCAPES = new Set(Array.from('bfnrt"\\', (char) => char.charCodeAt(0)));
/** Of 00 to 1f: those that have an escape of their own. */
const SHORT = new Set([0x08, 0x09, 0x0a, 0x0c, 0x0d]);
const LOWER_U = 0x75;
const FAILED = -1;

const isDigit = (byte: number | undefined): boolean => byte !== undefined && byte >= ZERO && byte <= NINE;

/** The value of a lower-case hex digit. */
function hexDigit(byte: number | undefined): number {
  if (isDigit(byte)) return byte! - ZERO;
  return byte !== undefined && byte >= 0x61 && byte <= 0x66 ? byte - 0x57 : FAILED;
}

/** By level: is it an object, and where its last member name is. Of the scan that runs: there is one at a time. */
const isObjectAt = new Uint8Array(MAX_LEVELS + 1);
const nameFromAt = new Int32Array(MAX_LEVELS + 1);
const nameToAt = new Int32Array(MAX_LEVELS + 1);

class Scanner {
  #level = 0;
  #otherNumbers = 0;
  /** A container was opened and its first value comes next. */
  #isAtValue = false;

  constructor(private readonly raw: Uint8Array) {}

  isWhole(): boolean {
    const { raw } = this;
    if (raw[0] !== OPEN_OBJECT) return false;
    let at = 0;
    for (;;) {
      at = this.#isOpening(at) ? this.#open(at) : this.#whole(at);
      if (at === FAILED) return false;
      if (this.#isAtValue) continue;
      while (this.#level > 0 && raw[at] === this.#closing) {
        this.#level -= 1;
        at += 1;
      }
      if (this.#level === 0) return at === raw.length;
      if (raw[at] !== COMMA) return false;
      at = this.#item(at + 1);
      if (at === FAILED) return false;
    }
  }

  get #closing(): number {
    return isObjectAt[this.#level] ? CLOSE_OBJECT : CLOSE_ARRAY;
  }

  /** A container with something in it. */
  #isOpening(at: number): boolean {
    const [byte, next] = [this.raw[at], this.raw[at + 1]];
    return (byte === OPEN_OBJECT && next !== CLOSE_OBJECT) || (byte === OPEN_ARRAY && next !== CLOSE_ARRAY);
  }

  /** From the start of a container to the start of its first value. */
  #open(at: number): number {
    if (this.#level === MAX_LEVELS) return FAILED;
    this.#level += 1;
    isObjectAt[this.#level] = this.raw[at] === OPEN_OBJECT ? 1 : 0;
    nameFromAt[this.#level] = FAILED;
    this.#isAtValue = true;
    return this.#item(at + 1);
  }

  /** From the start of an item to the start of its value. */
  #item(at: number): number {
    return isObjectAt[this.#level] ? this.#name(at) : at;
  }

  /** From the start of a value that holds no other to its end. */
  #whole(at: number): number {
    this.#isAtValue = false;
    const byte = this.raw[at];
    if (byte === QUOTE) return this.#string(at + 1);
    if (byte === OPEN_OBJECT || byte === OPEN_ARRAY) return at + 2;
    if (byte === MINUS || isDigit(byte)) return this.#number(at);
    return this.#literal(at);
  }

  #name(at: number): number {
    const { raw } = this;
    if (raw[at] !== QUOTE) return FAILED;
    let end = at + 1;
    for (; raw[end] !== QUOTE; end++) {
      const byte = raw[end];
      if (byte === undefined || byte < 0x20 || byte > 0x7e || byte === BACKSLASH) return FAILED;
    }
    if (raw[end + 1] !== COLON || !this.#isAfterLast(at + 1, end)) return FAILED;
    nameFromAt[this.#level] = at + 1;
    nameToAt[this.#level] = end;
    return end + 2;
  }

  /** Is a name greater than the last one of its object? The bytes of ASCII sort as UTF-16 does. */
  #isAfterLast(from: number, to: number): boolean {
    const { raw } = this;
    const [lastFrom, lastTo] = [nameFromAt[this.#level]!, nameToAt[this.#level]!];
    if (lastFrom === FAILED) return true;
    const length = Math.min(to - from, lastTo - lastFrom);
    for (let i = 0; i < length; i++) {
      const difference = raw[from + i]! - raw[lastFrom + i]!;
      if (difference !== 0) return difference > 0;
    }
    return to - from > lastTo - lastFrom;
  }

  /** From behind the opening quote to behind the closing one. */
  #string(from: number): number {
    const { raw } = this;
    let at = from;
    for (;;) {
      const byte = raw[at];
      if (byte === undefined || byte < 0x20) return FAILED;
      at += 1;
      if (byte === QUOTE) return at;
      if (byte !== BACKSLASH) continue;
      at = this.#escape(at);
      if (at === FAILED) return FAILED;
    }
  }

  #escape(at: number): number {
    const { raw } = this;
    if (ESCAPES.has(raw[at]!)) return at + 1;
    const isHead = raw[at] === LOWER_U && raw[at + 1] === ZERO && raw[at + 2] === ZERO;
    const high = hexDigit(raw[at + 3]);
    const low = hexDigit(raw[at + 4]);
    const isControl = isHead && (high === 0 || high === 1) && low !== FAILED && !SHORT.has(16 * high + low);
    return isControl ? at + 5 : FAILED;
  }

  #number(from: number): number {
    const { raw } = this;
    const digits = raw[from] === MINUS ? from + 1 : from;
    let at = digits;
    while (isDigit(raw[at])) at += 1;
    const isInteger = raw[at] !== 0x2e && raw[at] !== 0x65 && raw[at] !== 0x45;
    if (isInteger && at - digits <= MAX_SHORT_DIGITS) {
      const isPlain = at > digits && (raw[digits] !== ZERO || (at === digits + 1 && digits === from));
      return isPlain ? at : FAILED;
    }
    while (at - from < MAX_NUMBER_CHARS && isNumberByte(raw[at])) at += 1;
    const text = String.fromCharCode(...raw.subarray(from, at));
    this.#otherNumbers += 1;
    return this.#otherNumbers <= MAX_OTHER_NUMBERS && String(Number(text)) === text ? at : FAILED;
  }

  #literal(at: number): number {
    const word = LITERALS.find((bytes) => bytes.every((byte, i) => this.raw[at + i] === byte));
    return word ? at + word.length : FAILED;
  }
}

/** Digits, and . e E + - */
const isNumberByte = (byte: number | undefined): boolean =>
  isDigit(byte) || byte === 0x2e || byte === 0x65 || byte === 0x45 || byte === 0x2b || byte === MINUS;

/** Linear in the length of the body. False for anything that is not certain. */
export const isJcsForm = (raw: Uint8Array): boolean => new Scanner(raw).isWhole();
