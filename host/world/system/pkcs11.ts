// Ed25519 keys in a token (PKCS#11 3.0), through the C functions of the token's module.
// Keeps: a key that is made here is sensitive and cannot be extracted, and one that could be read out is not used; the PIN is
// handed on and wiped.
//
// The library that calls C functions is an optional package: it is loaded when a token is opened, not before. Structures
// are laid out here for 64-bit systems whose unsigned long has 8 bytes.

import { createRequire } from 'node:module';
import { endianness } from 'node:os';
import { TokenError } from '../token.ts';

/** The part of koffi that is used here. A pointer is a bigint; null is NULL. */
interface Native {
  load(path: string): { func(name: string, result: string, args: readonly unknown[]): Call };
  proto(result: string, args: readonly string[]): unknown;
  decode(pointer: bigint, offset: number, type: 'void *'): bigint;
  decode(pointer: bigint, type: unknown): Call;
  address(bytes: Uint8Array): bigint;
}
type Call = (...args: unknown[]) => number;

const WORD = 8;

/** Places in the list of functions, from 1 on, and what each takes behind the session. */
const CALLS = {
  C_Initialize: [1, ['void *']],
  C_Finalize: [2, ['void *']],
  C_GetSlotList: [5, ['uint8', 'void *', 'void *']],
  C_GetTokenInfo: [7, ['ulong', 'void *']],
  C_OpenSession: [13, ['ulong', 'ulong', 'void *', 'void *', 'void *']],
  C_CloseSession: [14, ['ulong']],
  C_Login: [19, ['ulong', 'ulong', 'void *', 'ulong']],
  C_GetAttributeValue: [25, ['ulong', 'ulong', 'void *', 'ulong']],
  C_FindObjectsInit: [27, ['ulong', 'void *', 'ulong']],
  C_FindObjects: [28, ['ulong', 'void *', 'ulong', 'void *']],
  C_FindObjectsFinal: [29, ['ulong']],
  C_SignInit: [43, ['ulong', 'void *', 'ulong']],
  C_Sign: [44, ['ulong', 'void *', 'ulong', 'void *', 'void *']],
  C_GenerateKeyPair: [60, ['ulong', 'void *', 'void *', 'ulong', 'void *', 'ulong', 'void *', 'void *']],
} as const satisfies Record<string, readonly [number, readonly string[]]>;
type CallName = keyof typeof CALLS;

const OK = 0;
const FAULTS = new Map([
  [0x30, 'the device reports an error'],
  [0x31, 'the device is out of memory'],
  [0x32, 'the device was removed'],
  [0x70, 'the token does not know Ed25519 (CKM_EDDSA)'],
  [0xa0, 'the PIN is wrong'],
  [0xa1, 'the PIN is wrong'],
  [0xa2, 'the PIN has a wrong length'],
  [0xa3, 'the PIN has expired'],
  [0xa4, 'the PIN is locked: the security officer of the token can set a new one'],
  [0xb3, 'its session is gone'],
  [0xe0, 'the token is not present'],
  [0xe2, 'the token is write-protected'],
  [0x101, 'it has logged out'],
  [0x102, 'the token has no user PIN yet'],
  [0x140, 'the token does not know the curve Ed25519'],
]);
const ALREADY_LOGGED_IN = 0x100;
const ALREADY_INITIALIZED = 0x191;

const [PUBLIC, PRIVATE] = [2, 3];
const ATTRIBUTE = {
  class: 0x0,
  token: 0x1,
  private: 0x2,
  label: 0x3,
  keyType: 0x100,
  id: 0x102,
  sensitive: 0x103,
  sign: 0x108,
  verify: 0x10a,
  extractable: 0x162,
  ecParams: 0x180,
  ecPoint: 0x181,
} as const;
type Attributes = Partial<Record<keyof typeof ATTRIBUTE, Uint8Array>>;
const EDWARDS_KEY = 0x40;
const EDWARDS_KEY_PAIR_GEN = 0x1055;
const EDDSA = 0x1057;
/** OBJECT IDENTIFIER 1.3.101.112, DER (RFC 8410). */
const ED25519_OID = Uint8Array.of(6, 3, 43, 101, 112);
/** More than any value that is read here takes. */
const VALUE_ROOM = 64;
const KEY_BYTES = 32;
const SIGNATURE_BYTES = 64;

const word = (value: number | bigint): Buffer => {
  const bytes = Buffer.alloc(WORD);
  bytes.writeBigUInt64LE(BigInt(value));
  return bytes;
};
const wordIn = (bytes: Buffer, at = 0): number => Number(bytes.readBigUInt64LE(at));
const [YES, NO] = [Uint8Array.of(1), Uint8Array.of(0)];

function native(): Native {
  if (process.platform === 'win32' || endianness() !== 'LE' || !/64$/.test(process.arch))
    throw new TokenError('keys in tokens need a 64-bit Linux, macOS or BSD');
  try {
    return createRequire(import.meta.url)('koffi') as Native;
  } catch (cause) {
    throw new TokenError(
      `keys in tokens need the optional package koffi, which cannot be loaded: npm install koffi (${(cause as Error).message.split('\n')[0]})`,
    );
  }
}

/** A key pair of the token, by its id. */
export class Token {
  readonly #calls = new Map<CallName, Call>();
  #session: Buffer = word(0);

  private constructor(
    private readonly native: Native,
    private readonly list: bigint,
    private readonly name: string,
  ) {}

  /**
   * Opens the token with this label and logs its user in. `pin` is overwritten with zeros.
   * Errors: TokenError, for the package, the module, a label that no token or more than one has, and the PIN.
   */
  static open(modulePath: string, label: string, pin: Uint8Array): Token {
    try {
      const library = native();
      const token = new Token(library, functionsOf(library, modulePath), `token ${label}`);
      const begun = token.#ask('C_Initialize', null);
      if (begun !== OK && begun !== ALREADY_INITIALIZED) throw token.#fault('C_Initialize', begun);
      token.#begin(label, pin);
      return token;
    } finally {
      pin.fill(0);
    }
  }

  #ask(name: CallName, ...args: unknown[]): number {
    let call = this.#calls.get(name);
    if (!call) {
      const [place, types] = CALLS[name];
      // The list begins with its version, padded to a word.
      const pointer = this.native.decode(this.list, place * WORD, 'void *');
      call = this.native.decode(pointer, this.native.proto('ulong', types));
      this.#calls.set(name, call);
    }
    return call(...args);
  }

  #do(name: CallName, ...args: unknown[]): void {
    const code = this.#ask(name, ...args);
    if (code !== OK) throw this.#fault(name, code);
  }

  #fault(name: CallName, code: number): TokenError {
    const text = FAULTS.get(code) ?? `${name} answers 0x${code.toString(16)}`;
    return new TokenError(`${this.name}: ${text}`);
  }

  #begin(label: string, pin: Uint8Array): void {
    const count = word(0);
    this.#do('C_GetSlotList', 1, null, count);
    const slots = Buffer.alloc(wordIn(count) * WORD + WORD);
    this.#do('C_GetSlotList', 1, slots, count);
    const found: number[] = [];
    for (let i = 0; i < wordIn(count); i++) {
      const info = Buffer.alloc(256);
      const slot = wordIn(slots, i * WORD);
      if (this.#ask('C_GetTokenInfo', slot, info) !== OK) continue;
      if (info.subarray(0, 32).toString('utf8').trimEnd() === label) found.push(slot);
    }
    if (found.length !== 1)
      throw new TokenError(
        found.length === 0 ? `there is no ${this.name}` : `${found.length} tokens have the label ${label}`,
      );
    const RW_SERIAL = 6;
    const USER = 1;
    this.#do('C_OpenSession', found[0]!, RW_SERIAL, null, null, this.#session);
    const code = this.#ask('C_Login', wordIn(this.#session), USER, pin, pin.length);
    if (code !== OK && code !== ALREADY_LOGGED_IN) throw this.#fault('C_Login', code);
  }

  /** CK_ATTRIBUTE[]; the values must live as long as it does. */
  #template(attributes: Attributes): Buffer {
    const entries = Object.entries(attributes) as [keyof Attributes, Uint8Array][];
    return Buffer.concat(
      entries.flatMap(([name, value]) => [
        word(ATTRIBUTE[name]),
        word(this.native.address(value)),
        word(value.length),
      ]),
    );
  }

  #object(kind: number, id: Uint8Array): number | undefined {
    const wanted = { class: word(kind), keyType: word(EDWARDS_KEY), id };
    const [template, session] = [this.#template(wanted), wordIn(this.#session)];
    const [handles, count] = [Buffer.alloc(2 * WORD), word(0)];
    this.#do('C_FindObjectsInit', session, template, Object.keys(wanted).length);
    this.#do('C_FindObjects', session, handles, 2, count);
    this.#do('C_FindObjectsFinal', session);
    if (wordIn(count) > 1) throw new TokenError(`${this.name} has two keys of one id`);
    return wordIn(count) === 0 ? undefined : wordIn(handles);
  }

  #value(object: number, name: keyof Attributes): Uint8Array {
    const value = Buffer.alloc(VALUE_ROOM);
    const template = this.#template({ [name]: value });
    this.#do('C_GetAttributeValue', wordIn(this.#session), object, template, 1);
    return value.subarray(0, wordIn(template, 2 * WORD));
  }

  /** Makes a key pair that stays in the token. Returns the public key. Errors: TokenError. */
  makeKey(id: Uint8Array, label: string): Uint8Array {
    const common = { token: YES, id, label: Buffer.from(label) };
    const [ofPublic, ofPrivate] = [
      { ...common, private: NO, verify: YES, ecParams: ED25519_OID },
      { ...common, private: YES, sensitive: YES, extractable: NO, sign: YES },
    ];
    const [publicTemplate, privateTemplate] = [this.#template(ofPublic), this.#template(ofPrivate)];
    this.#do(
      'C_GenerateKeyPair',
      wordIn(this.#session),
      this.#mechanism(EDWARDS_KEY_PAIR_GEN),
      publicTemplate,
      Object.keys(ofPublic).length,
      privateTemplate,
      Object.keys(ofPrivate).length,
      word(0),
      word(0),
    );
    return this.publicKey(id);
  }

  #mechanism(type: number): Buffer {
    return Buffer.concat([word(type), word(0), word(0)]);
  }

  /** 32 bytes. Errors: TokenError when there is no such key, or one that could be read out of the token. */
  publicKey(id: Uint8Array): Uint8Array {
    const key = this.#object(PUBLIC, id);
    const secret = this.#object(PRIVATE, id);
    if (key === undefined || secret === undefined)
      throw new TokenError(`${this.name} has no Ed25519 key with the id ${Buffer.from(id).toString('hex')}`);
    if (this.#value(secret, 'sensitive')[0] !== 1 || this.#value(secret, 'extractable')[0] !== 0)
      throw new TokenError(`the key could be read out of ${this.name}, so it is not used`);
    const point = this.#value(key, 'ecPoint');
    // Plain, or as PKCS#11 3.0 has it a DER OCTET STRING.
    const bytes =
      point.length === KEY_BYTES + 2 && point[0] === 4 && point[1] === KEY_BYTES ? point.subarray(2) : point;
    if (bytes.length !== KEY_BYTES) throw new TokenError(`${this.name} shows no Ed25519 public key`);
    return Uint8Array.from(bytes);
  }

  /** 64 bytes (RFC 8032). Errors: TokenError. */
  sign(id: Uint8Array, message: Uint8Array): Uint8Array {
    const key = this.#object(PRIVATE, id);
    if (key === undefined) throw new TokenError(`${this.name} has the key no more`);
    const session = wordIn(this.#session);
    const [signature, length] = [Buffer.alloc(SIGNATURE_BYTES), word(SIGNATURE_BYTES)];
    this.#do('C_SignInit', session, this.#mechanism(EDDSA), key);
    // A module may refuse NULL, which an empty array would be.
    this.#do('C_Sign', session, message.length > 0 ? message : NO, message.length, signature, length);
    if (wordIn(length) !== SIGNATURE_BYTES) throw new TokenError(`${this.name} gives no Ed25519 signature`);
    return Uint8Array.from(signature);
  }

  close(): void {
    this.#ask('C_CloseSession', wordIn(this.#session));
    this.#ask('C_Finalize', null);
  }
}

function functionsOf(library: Native, modulePath: string): bigint {
  const list = word(0);
  let code: number;
  try {
    code = library.load(modulePath).func('C_GetFunctionList', 'ulong', ['void *'])(list);
  } catch (cause) {
    throw new TokenError(`${modulePath} is no PKCS#11 module: ${(cause as Error).message}`);
  }
  if (code !== OK) throw new TokenError(`${modulePath}: C_GetFunctionList answers 0x${code.toString(16)}`);
  return list.readBigUInt64LE();
}
