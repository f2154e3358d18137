// The file of a snapshot: what a node answered to the requests of one that joins, so that whoever reads it goes the same
// way with the same checks (protocol 12.10).
// Keeps: a file is complete or it is not there; a torn or altered one is refused before anything of it is read; no frame
// makes a reader take more memory than an answer of a node may have. Proves nothing by itself: the seals in it do.
//
//   "VWSSNAP1", then frames: u8 kind, u16 bytes of key, key, u32 bytes of body, body
//   kind 1 genesis: no key, JSON      kind 2 seals: from u32, answer `sealed`      kind 3 rows: epoch u32, after, answer `fetched`
//   kind 4, the last: no key, SHA-256 of everything before it

import { createHash, type Hash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { type FileHandle, link, open, unlink } from 'node:fs/promises';
import { BOUNDS, LogFault, type LogSource } from '../../audit/index.ts';
import { decodeMessage, encodeMessage } from '../../net/messages.ts';
import { ByteReader, ByteWriter, equalBytes, fromHex, fromUtf8, toHex, utf8 } from '../../wire/bytes.ts';

const MAGIC = utf8('VWSSNAP1');
const FRAME_HEAD_BYTES = 3;
const MAX_KEY_BYTES = 1024;
const HASH_BYTES = 32;
const READ_BYTES = 1 << 20;
const KIND = { genesis: 1, seals: 2, rows: 3, end: 4 } as const;

/** A file that is no snapshot, or not the one that was asked for. */
export class SnapshotFault extends Error {
  override name = 'SnapshotFault';
}

const u32 = (n: number): Uint8Array => new ByteWriter(4).u32(n).finish();
const rowsKey = (epoch: number, after: string): Uint8Array =>
  Uint8Array.from([...u32(epoch), ...(fromHex(after) ?? [])]);

/** Passes on what a node answers, and records it. */
export class RecordingSource implements Pick<LogSource, 'seals' | 'state'> {
  #hash: Hash = createHash('sha256');
  #position = 0;
  /** Where the rows of the newest epoch begin: those of another one are overwritten. */
  #rows: { epoch: number; position: number; hash: Hash } | undefined;

  private constructor(
    private readonly inner: Pick<LogSource, 'seals' | 'state'>,
    private readonly path: string,
    private readonly file: FileHandle,
  ) {}

  /** Errors: SnapshotFault when there is such a file; those of the file system. */
  static async open(inner: LogSource, path: string, genesis: unknown): Promise<RecordingSource> {
    if (existsSync(path)) throw new SnapshotFault(`${path} exists and is not overwritten`);
    const file = await open(`${path}.part`, 'w', 0o644);
    const source = new RecordingSource(inner, path, file);
    await source.#write(MAGIC);
    await source.#frame(KIND.genesis, new Uint8Array(0), utf8(JSON.stringify(genesis)));
    return source;
  }

  async seals(from: number): Promise<Uint8Array> {
    const answer = await this.inner.seals(from);
    await this.#frame(KIND.seals, u32(from), answer);
    return answer;
  }

  async state(epoch: number, after: string): Promise<Uint8Array> {
    const answer = await this.inner.state(epoch, after);
    const message = decodeMessage(answer);
    // The node has sealed meanwhile: what came of this state is of no use, and the next seal is asked for.
    if (message?.type === 'fetched' && message.part === 'gone') {
      this.#forgetRows();
      return answer;
    }
    this.#rows ??= { epoch, position: this.#position, hash: this.#hash.copy() };
    await this.#frame(KIND.rows, rowsKey(epoch, after), answer);
    return answer;
  }

  #forgetRows(): void {
    if (!this.#rows) return;
    this.#position = this.#rows.position;
    this.#hash = this.#rows.hash;
    this.#rows = undefined;
  }

  async #frame(kind: number, key: Uint8Array, body: Uint8Array): Promise<void> {
    const head = new ByteWriter(FRAME_HEAD_BYTES + key.length + 4);
    await this.#write(head.u8(kind).u16(key.length).raw(key).u32(body.length).finish());
    await this.#write(body);
  }

  async #write(bytes: Uint8Array): Promise<void> {
    this.#hash.update(bytes);
    // A disk that is nearly full takes a part, and says so.
    for (let done = 0; done < bytes.length; ) {
      const { bytesWritten } = await this.file.write(bytes, done, bytes.length - done, this.#position);
      done += bytesWritten;
      this.#position += bytesWritten;
    }
  }

  /** Gives the file its name once it is whole and synced; returns its bytes. */
  async finish(): Promise<number> {
    await this.#frame(KIND.end, new Uint8Array(0), this.#hash.copy().digest());
    await this.file.truncate(this.#position);
    await this.file.sync();
    await this.file.close();
    await link(`${this.path}.part`, this.path);
    await unlink(`${this.path}.part`);
    return this.#position;
  }

  async abandon(): Promise<void> {
    await this.file.close();
    await unlink(`${this.path}.part`);
  }
}

interface Frame {
  position: number;
  length: number;
}

/** Gives what was recorded, as the node did. */
export class SnapshotFile implements Pick<LogSource, 'seals' | 'state'> {
  readonly #seals = new Map<number, Frame>();
  readonly #rows = new Map<string, Frame>();
  #genesis: Frame | undefined;

  private constructor(
    private readonly path: string,
    private readonly file: FileHandle,
    readonly bytes: number,
  ) {}

  /** Errors: SnapshotFault for anything but a whole snapshot; those of the file system. */
  static async open(path: string): Promise<SnapshotFile> {
    const file = await open(path, 'r');
    try {
      const snapshot = new SnapshotFile(path, file, (await file.stat()).size);
      await snapshot.#index();
      return snapshot;
    } catch (error) {
      await file.close();
      throw error;
    }
  }

  close(): Promise<void> {
    return this.file.close();
  }

  async genesis(): Promise<unknown> {
    try {
      return JSON.parse(fromUtf8(await this.#body(this.#genesis!)));
    } catch {
      throw this.#bad('its genesis cannot be read');
    }
  }

  async seals(from: number): Promise<Uint8Array> {
    const frame = this.#seals.get(from);
    if (!frame) throw new LogFault('answer', `the snapshot has no seals from epoch ${from} on`);
    return this.#body(frame);
  }

  async state(epoch: number, after: string): Promise<Uint8Array> {
    const frame = this.#rows.get(toHex(rowsKey(epoch, after)));
    if (frame) return this.#body(frame);
    return encodeMessage({ type: 'fetched', epoch, part: 'gone', rows: new Uint8Array(0) });
  }

  #bad(why: string): SnapshotFault {
    return new SnapshotFault(`${this.path} is no usable snapshot: ${why}`);
  }

  async #body({ position, length }: Frame): Promise<Uint8Array> {
    const bytes = new Uint8Array(length);
    const { bytesRead } = await this.file.read(bytes, 0, length, position);
    if (bytesRead !== length) throw this.#bad('it became shorter while it was read');
    return bytes;
  }

  async #index(): Promise<void> {
    const magic = await this.#body({ position: 0, length: Math.min(MAGIC.length, this.bytes) });
    if (!equalBytes(magic, MAGIC)) throw this.#bad('it does not begin as one');
    for (let position = MAGIC.length; ; ) {
      const frame = await this.#frameAt(position);
      if (!frame) throw this.#bad('it is torn: its end is missing');
      const { kind, key, body } = frame;
      position = body.position + body.length;
      if (kind === KIND.end) {
        if (position !== this.bytes || body.length !== HASH_BYTES || !this.#genesis)
          throw this.#bad('it is altered');
        await this.#checkHash(position - HASH_BYTES - FRAME_HEAD_BYTES - 4, await this.#body(body));
        return;
      }
      if (kind === KIND.genesis) this.#genesis = body;
      else if (kind === KIND.seals && key.length === 4) this.#seals.set(new ByteReader(key).u32(), body);
      else if (kind === KIND.rows) this.#rows.set(toHex(key), body);
      else throw this.#bad('it has a frame that this version does not know');
    }
  }

  async #frameAt(position: number): Promise<{ kind: number; key: Uint8Array; body: Frame } | undefined> {
    const length = Math.min(FRAME_HEAD_BYTES + MAX_KEY_BYTES + 4, this.bytes - position);
    if (length <= 0) return undefined;
    const reader = new ByteReader(await this.#body({ position, length }));
    const kind = reader.u8();
    const keyBytes = reader.u16();
    const key = reader.raw(keyBytes).slice();
    const bodyBytes = reader.u32();
    if (reader.failed) return undefined;
    const body = { position: position + FRAME_HEAD_BYTES + keyBytes + 4, length: bodyBytes };
    if (body.length > BOUNDS.answerBytes) throw this.#bad('it has a frame that is too large');
    return body.position + body.length <= this.bytes ? { kind, key, body } : undefined;
  }

  async #checkHash(end: number, stated: Uint8Array): Promise<void> {
    const hash = createHash('sha256');
    for (let position = 0; position < end; position += READ_BYTES)
      hash.update(await this.#body({ position, length: Math.min(READ_BYTES, end - position) }));
    if (!equalBytes(hash.digest(), stated)) throw this.#bad('it is altered: its hash is another one');
  }
}
