// The signed requests of commands whose outcome is open, beside the key, for all processes that use it.
//
//   <folder>/<intention>.<TxID>.json        written before a request is sent
//   <folder>/<intention>.<TxID>.copy.json   written before another process sends it again: the refusal of one copy says nothing of the other
//
// Keeps: whoever begins a request first writes its own file and then looks for those of others, so of two that begin the same at
// once at least one sees the other. A file bears the TxID of what it is about, so nobody removes what another process wrote meanwhile.

import { readdirSync } from 'node:fs';
import type { SignedRequest } from '../client/signed-request.ts';
import type { Files } from '../world/files.ts';

export type RequestFiles = Pick<Files, 'exists' | 'readText' | 'writeNew' | 'makeDirectory' | 'remove'>;

export class OpenRequests {
  /** `intention`: hash of what is asked, a part of file names. */
  constructor(
    private readonly files: RequestFiles,
    private readonly folder: string,
    private readonly intention: string,
  ) {}

  /** Those of this intention, each once, the newest first. */
  all(): SignedRequest[] {
    if (!this.files.exists(this.folder)) return [];
    const found = new Map<string, SignedRequest>();
    for (const name of readdirSync(this.folder)) {
      if (!name.startsWith(`${this.intention}.`) || !name.endsWith('.json')) continue;
      const request = this.#read(`${this.folder}/${name}`);
      if (request) found.set(request.txid, request);
    }
    return [...found.values()].sort((a, b) => b.expiresAt - a.expiresAt);
  }

  /** Keeps a request that was never sent. False: another one is open, and this one must not be sent. */
  begin(request: SignedRequest): boolean {
    this.files.makeDirectory(this.folder);
    this.#write(this.#path(request), request);
    if (this.all().every(({ txid }) => txid === request.txid)) return true;
    this.#remove(this.#path(request));
    return false;
  }

  /** Notes that another copy is sent. False: the first one was refused meanwhile, and none must be sent. */
  repeat(request: SignedRequest): boolean {
    const isFirstCopy = this.#write(this.#copyPath(request), request);
    if (!isFirstCopy || this.files.exists(this.#path(request))) return true;
    this.#remove(this.#copyPath(request));
    return false;
  }

  /** The copy that was sent first is refused. False: another one may be on its way, so that this says nothing. */
  refused(request: SignedRequest): boolean {
    this.#remove(this.#path(request));
    return !this.files.exists(this.#copyPath(request));
  }

  /** It was executed, or can never be. */
  end(request: SignedRequest): void {
    this.#remove(this.#path(request));
    this.#remove(this.#copyPath(request));
  }

  #path({ txid }: SignedRequest): string {
    return `${this.folder}/${this.intention}.${txid}.json`;
  }

  #copyPath({ txid }: SignedRequest): string {
    return `${this.folder}/${this.intention}.${txid}.copy.json`;
  }

  /** Undefined: another process has removed it since. */
  #read(path: string): SignedRequest | undefined {
    return unless('ENOENT', () => JSON.parse(this.files.readText(path)) as SignedRequest);
  }

  /** False: it exists. */
  #write(path: string, request: SignedRequest): boolean {
    return (
      unless('EEXIST', () => {
        this.files.writeNew(path, `${JSON.stringify(request)}\n`, 0o600);
        return true;
      }) ?? false
    );
  }

  #remove(path: string): void {
    unless('ENOENT', () => this.files.remove(path));
  }
}

/** What `act` returns; undefined where it fails with this code of the file system. */
function unless<T>(code: string, act: () => T): T | undefined {
  try {
    return act();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === code) return undefined;
    throw error;
  }
}
