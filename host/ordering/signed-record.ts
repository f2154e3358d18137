// The last-signed record: a file outside the data directory with the newest vertex that this seat signed. A data directory
// that was restored from a copy is older than it (consensus 5.12).
// Keeps: bound to one network and one key; written whole and synced before the vertex leaves the node; a file that is not
// exactly what this code writes is refused, never repaired.

import { sha256Hex } from '../wire/hash.ts';
import type { Files } from '../world/files.ts';
import { StoreError, UNCHANGED } from '../world/store.ts';

/** A vertex of the own seat; `id` in hex. */
export interface SignedVertex {
  epoch: number;
  seq: number;
  id: string;
}

/** Whose record it is, both in hex. */
export interface RecordOwner {
  genesisHash: string;
  key: string;
}

const FORMAT = 1;

export class SignedRecord {
  private constructor(
    private readonly files: Files,
    private readonly path: string,
    private readonly owner: RecordOwner,
    /** Undefined: nothing was signed since the record is kept. */
    public newest: SignedVertex | undefined,
  ) {}

  /** Errors: StoreError for a torn or altered file, and for that of another network or key. */
  static open(files: Files, path: string, owner: RecordOwner): SignedRecord {
    if (!files.exists(path)) return new SignedRecord(files, path, owner, undefined);
    const found = readRecord(files, path);
    if (found.owner.genesisHash !== owner.genesisHash)
      throw refusal(path, `is of another network: its genesis is ${found.owner.genesisHash}`);
    if (found.owner.key !== owner.key) throw refusal(path, `is of another key: ${found.owner.key}`);
    return new SignedRecord(files, path, owner, found.newest);
  }

  /** Resolves when it is on disk. Errors: StoreError. */
  async write(vertex: SignedVertex): Promise<void> {
    try {
      await this.files.replace(this.path, recordText(this.owner, vertex));
    } catch (cause) {
      throw new StoreError(
        `the last-signed record ${this.path} cannot be written: ${(cause as Error).message}. Every acknowledged write is safe; restart the node when the cause is fixed`,
        { cause },
      );
    }
    this.newest = vertex;
  }
}

function recordText(owner: RecordOwner, { epoch, seq, id }: SignedVertex): string {
  const members = { format: FORMAT, genesis_hash: owner.genesisHash, key: owner.key, epoch, seq, id };
  return `${JSON.stringify({ ...members, check: sha256Hex(JSON.stringify(members)) })}\n`;
}

/** Whose record a file is, and what it names. Errors: StoreError for a torn or altered file. */
export function readRecord(files: Files, path: string): { owner: RecordOwner; newest: SignedVertex } {
  const text = files.readText(path);
  let file: Record<string, unknown>;
  try {
    file = { ...JSON.parse(text) };
  } catch {
    throw refusal(path, 'is torn or altered: it is no JSON');
  }
  const { genesis_hash: genesisHash, key, epoch, seq, id } = file;
  const owner = { genesisHash, key } as RecordOwner;
  const newest = { epoch, seq, id } as SignedVertex;
  // One spelling only: what is not written back to the same text is torn or altered.
  if (text !== recordText(owner, newest)) throw refusal(path, 'is torn or altered');
  return { owner, newest };
}

const refusal = (path: string, why: string): StoreError =>
  new StoreError(
    `the last-signed record ${path} ${why}. ${UNCHANGED}; without the file the node asks its peers before it signs`,
  );
