// Typed interface to build/ed25519.wasm: signature verification by ZIP-215, in batches or singly.
// Keeps: each signature gets the result of single verification, whatever else is in its batch: a batch only proves "all
// good", and a failed batch is split into smaller ones and finally verified singly.
// No Node-only import: browsers use it, too. After a trap the instance is unusable and every call throws.

import * as abi from '../../assembly/ed25519/layout.ts';
import type { SignatureJob } from '../wire/bytes.ts';

interface Ed25519Exports {
  memory: WebAssembly.Memory;
  ed25519_abi_version(): number;
  ed25519_init(): void;
  ed25519_jobs_ptr(): number;
  ed25519_messages_ptr(): number;
  ed25519_trap_ptr(): number;
  ed25519_load(count: number): void;
  ed25519_is_open(index: number): number;
  ed25519_batch(from: number, count: number): number;
  ed25519_single(index: number): number;
}

/** `count` bytes from a cryptographic generator: someone who can predict them can forge batches. */
export type RandomBytes = (count: number) => Uint8Array;

export interface Ed25519Wasm {
  /** 1 for each good signature, 0 for each bad one. RangeError if a message is longer than 1 MiB. */
  verifyBatch(jobs: readonly SignatureJob[]): Uint8Array;
  /** One signature without a batch. RangeError if its message is longer than 1 MiB. */
  verifyOne(job: SignatureJob): boolean;
}

/** An assertion inside the module failed: a bug. */
class Ed25519Trap extends Error {
  override name = 'Ed25519Trap';
}

// Verifying a batch of m costs about (253 doublings) / m + a constant for each signature; one alone costs 2.4 times
// that constant (bench/signatures.ts). Hence, where a share p of signatures is bad:
//  * above 8 % even pairs fail too often to pay;
//  * below, groups of 0.8 / sqrt(p) balance a batch's fixed cost against the price of its failure.
const SINGLES_ABOVE_SHARE = 0.08;
const GROUP_FACTOR = 0.8;
const MIN_GROUP = 4;
// Verdicts after which a past share counts half.
const HALF_LIFE = 512;
/** Opens a compiled module: build/ed25519.wasm, or build/ed25519-scalar.wasm where there is no SIMD. */
export function openEd25519(module: WebAssembly.Module, randomBytes: RandomBytes): Ed25519Wasm {
  const wasm = new WebAssembly.Instance(module, {}).exports as unknown as Ed25519Exports;
  if (wasm.ed25519_abi_version() !== abi.ED25519_ABI_VERSION) {
    throw new Error('ed25519.wasm has another ABI version than this host: build again');
  }
  return new Door(wasm, randomBytes);
}

class Door implements Ed25519Wasm {
  readonly #wasm: Ed25519Exports;
  readonly #randomBytes: RandomBytes;
  readonly #bytes: Uint8Array;
  readonly #view: DataView;
  readonly #jobsAt: number;
  readonly #messagesAt: number;
  #trap: Ed25519Trap | undefined;
  // Decaying counts of verdicts given by the equation, and of the bad among them.
  #seen = 0;
  #bad = 0;

  constructor(wasm: Ed25519Exports, randomBytes: RandomBytes) {
    this.#wasm = wasm;
    this.#randomBytes = randomBytes;
    // Memory never grows, so the views stay valid.
    this.#bytes = new Uint8Array(wasm.memory.buffer);
    this.#view = new DataView(wasm.memory.buffer);
    this.#jobsAt = wasm.ed25519_jobs_ptr();
    this.#messagesAt = wasm.ed25519_messages_ptr();
    this.#bytes.set(randomBytes(16), this.#jobsAt);
    this.#guard(() => wasm.ed25519_init());
  }

  verifyBatch(jobs: readonly SignatureJob[]): Uint8Array {
    const verdicts = new Uint8Array(jobs.length);
    let from = 0;
    while (from < jobs.length) {
      const end = this.#endOfLoad(jobs, from);
      this.#verifyLoad(jobs, from, end, verdicts);
      from = end;
    }
    return verdicts;
  }

  verifyOne(job: SignatureJob): boolean {
    this.#endOfLoad([job], 0);
    if (!hasRightLengths(job)) return false;
    // The random coefficient is used by batches only, so any value will do.
    this.#put(0, job, 0);
    return this.#guard(() => {
      this.#wasm.ed25519_load(1);
      return this.#wasm.ed25519_single(0) === 1;
    });
  }

  /** Up to which job, starting at `from`, they fit the module's memory. */
  #endOfLoad(jobs: readonly SignatureJob[], from: number): number {
    let room = abi.MESSAGE_BYTES;
    let at = from;
    while (at < jobs.length && at - from < abi.MAX_JOBS) {
      const { length } = jobs[at]!.message;
      if (length > abi.MESSAGE_BYTES) throw new RangeError('signed message is longer than 1 MiB');
      if (length > room) break;
      room -= length;
      at++;
    }
    return at;
  }

  #put(index: number, job: SignatureJob, messageAt: number): void {
    const at = this.#jobsAt + index * abi.JOB_BYTES;
    this.#bytes.set(job.publicKey, at + abi.JOB_KEY);
    this.#bytes.set(job.signature, at + abi.JOB_R);
    this.#view.setUint32(at + abi.JOB_MESSAGE_AT, messageAt, true);
    this.#view.setUint32(at + abi.JOB_MESSAGE_LENGTH, job.message.length, true);
    this.#bytes.set(job.message, this.#messagesAt + messageAt);
  }

  #verifyLoad(jobs: readonly SignatureJob[], from: number, end: number, verdicts: Uint8Array): void {
    const places: number[] = [];
    let messageAt = 0;
    for (let i = from; i < end; i++) {
      const job = jobs[i]!;
      if (!hasRightLengths(job)) continue;
      this.#put(places.length, job, messageAt);
      messageAt += job.message.length;
      places.push(i);
    }
    const count = places.length;
    if (count === 0) return;
    const random = this.#randomBytes(16 * count);
    for (let i = 0; i < count; i++) {
      const at = this.#jobsAt + i * abi.JOB_BYTES + abi.JOB_RANDOM;
      this.#bytes.set(random.subarray(16 * i, 16 * i + 16), at);
    }
    const good = new Uint8Array(count);
    this.#guard(() => {
      this.#wasm.ed25519_load(count);
      this.#judge(count, good);
    });
    for (let i = 0; i < count; i++) verdicts[places[i]!] = good[i]!;
  }

  /** Verdicts on the loaded jobs, in groups sized by the recent share of bad signatures. */
  #judge(count: number, good: Uint8Array): void {
    const share = this.#seen === 0 ? 0 : this.#bad / this.#seen;
    if (share > SINGLES_ABOVE_SHARE) {
      this.#judgeSingly(0, count, good);
    } else {
      const group = Math.max(MIN_GROUP, Math.min(count, Math.floor(GROUP_FACTOR / Math.sqrt(share))));
      // Signatures that may be verified again in smaller batches: as many as were loaded, so that no mix of good
      // and bad costs more than one more batch before it is verified singly.
      const budget = { left: count };
      const groups = Math.max(1, Math.round(count / group));
      for (let g = 0; g < groups; g++) {
        const from = Math.floor((g * count) / groups);
        this.#judgeRange(from, Math.floor(((g + 1) * count) / groups), good, budget);
      }
    }
    this.#remember(count, good);
  }

  #judgeRange(from: number, end: number, good: Uint8Array, budget: { left: number }): void {
    const count = end - from;
    if (count < MIN_GROUP) {
      this.#judgeSingly(from, end, good);
      return;
    }
    if (this.#wasm.ed25519_batch(from, count) === 1) {
      for (let i = from; i < end; i++) good[i] = this.#wasm.ed25519_is_open(i);
      return;
    }
    // Halving a small group would cost nearly as much as single verification.
    if (count < 4 * MIN_GROUP || budget.left < count) {
      this.#judgeSingly(from, end, good);
      return;
    }
    budget.left -= count;
    const middle = from + (count >> 1);
    this.#judgeRange(from, middle, good, budget);
    this.#judgeRange(middle, end, good, budget);
  }

  #judgeSingly(from: number, end: number, good: Uint8Array): void {
    for (let i = from; i < end; i++) good[i] = this.#wasm.ed25519_single(i);
  }

  #remember(count: number, good: Uint8Array): void {
    const keep = 0.5 ** (count / HALF_LIFE);
    let bad = 0;
    let seen = 0;
    for (let i = 0; i < count; i++) {
      // Jobs refused on loading never reached the equation and do not count here.
      if (this.#wasm.ed25519_is_open(i) === 0) continue;
      seen++;
      if (good[i] === 0) bad++;
    }
    this.#seen = this.#seen * keep + seen;
    this.#bad = this.#bad * keep + bad;
  }

  #guard<T>(call: () => T): T {
    if (this.#trap) throw this.#trap;
    try {
      return call();
    } catch (cause) {
      const at = this.#wasm.ed25519_trap_ptr();
      const line = this.#view.getUint32(at + 4, true);
      const length = 2 * this.#view.getUint32(at + 12, true);
      const text = new TextDecoder('utf-16le').decode(this.#bytes.slice(at + 16, at + 16 + length));
      this.#trap = new Ed25519Trap(`ed25519.wasm: ${text || 'trap'} (line ${line})`, { cause });
      throw this.#trap;
    }
  }
}

function hasRightLengths({ publicKey, signature }: SignatureJob): boolean {
  return publicKey.length === 32 && signature.length === 64;
}
