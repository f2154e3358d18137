// The signer's book: which vertices its key has signed. It decides whether a further one may be signed.
// Keeps: of one epoch, named by its id, vertices are signed with rising seq only, and the same vertex again as often as it
// is asked for; an epoch that is not in the book must be later than all that are; what is signed was on disk before. A
// file that is not exactly what this code writes is refused, never repaired.

import { toHex } from '../../wire/bytes.ts';
import { sha256Hex } from '../../wire/hash.ts';
import { incarnationOf, numberOf } from '../../wire/seq.ts';
import { decodeVertexHeader, vertexId } from '../../wire/vertex.ts';
import type { Files } from '../../world/files.ts';
import { KeyFileError } from '../key-file.ts';

/** Epochs that are remembered; evidence counts in the running one only. */
const MAX_EPOCHS = 64;
const FORMAT = 1;

/** The newest vertex of an epoch; `epoch`: its number, as the node says. */
interface Line {
  epoch: number;
  epoch_id: string;
  seq: number;
  id: string;
}

/** Why a vertex is not signed: for the operator of the node. */
export class VertexRefused extends Error {
  override name = 'VertexRefused';
}

export class VertexBook {
  /** Calls one after the other: two nodes may ask at once. */
  #running: Promise<unknown> = Promise.resolve();

  private constructor(
    private readonly files: Files,
    private readonly path: string,
    private readonly key: string,
    private lines: readonly Line[],
  ) {}

  static exists(files: Files, path: string): boolean {
    return files.exists(path);
  }

  /** A new one for a key that has signed nothing that is to be known here. */
  static async begin(files: Files, path: string, key: string): Promise<VertexBook> {
    const book = new VertexBook(files, path, key, []);
    await files.replace(path, textOf(key, []));
    return book;
  }

  /** Errors: KeyFileError for a torn or altered file, and for that of another key. */
  static open(files: Files, path: string, key: string): VertexBook {
    const text = files.readText(path);
    let lines: readonly Line[];
    try {
      lines = (JSON.parse(text) as { lines: readonly Line[] }).lines;
      if (text !== textOf(key, lines)) throw new Error('its text is another one');
    } catch {
      throw new KeyFileError(
        `the signer's book ${path} is torn, altered, or of another key; nothing is signed without it`,
      );
    }
    return new VertexBook(files, path, key, lines);
  }

  get newest(): { epoch: number; seq: number; id: string } | undefined {
    return this.lines.at(-1);
  }

  /** Notes a vertex. It may be signed once this resolves. Errors: VertexRefused, those of the disk. */
  admit(header: Uint8Array, epoch: number): Promise<void> {
    const admitted = this.#running.then(() => this.#admit(header, epoch));
    this.#running = admitted.catch(() => {});
    return admitted;
  }

  async #admit(bytes: Uint8Array, epoch: number): Promise<void> {
    const header = decodeVertexHeader(bytes);
    if (!header) throw new VertexRefused('this is no vertex');
    const line: Line = {
      epoch,
      epoch_id: toHex(header.epochId),
      seq: header.seq,
      id: toHex(vertexId(bytes)),
    };
    const at = this.lines.findIndex(({ epoch_id }) => epoch_id === line.epoch_id);
    const known = this.lines[at];
    if (known?.id === line.id) return;
    if (known && line.seq <= known.seq) throw new VertexRefused(second(line, known));
    const last = this.lines.at(-1);
    if (!known && last && epoch <= last.epoch)
      throw new VertexRefused(
        `epoch ${epoch} is over: this key has signed in epoch ${last.epoch}; the data of the node is an old copy, or a second node uses the key`,
      );
    const lines = known ? this.lines.with(at, { ...line, epoch: known.epoch }) : [...this.lines, line];
    const kept = lines.slice(-MAX_EPOCHS);
    await this.files.replace(this.path, textOf(this.key, kept));
    this.lines = kept;
  }
}

const seqText = (seq: number): string =>
  incarnationOf(seq) === 0 ? `${seq}` : `${numberOf(seq)} of incarnation ${incarnationOf(seq)}`;

const second = ({ seq, epoch }: Line, known: Line): string =>
  `vertex ${seqText(known.seq)} of epoch ${epoch} is signed, and another one with seq ${seqText(seq)} is asked for; the data of the node is an old copy, or a second node uses the key`;

function textOf(key: string, lines: readonly Line[]): string {
  const whole = lines.map(({ epoch, epoch_id, seq, id }) => ({ epoch, epoch_id, seq, id }));
  const members = { format: FORMAT, key, lines: whole };
  return `${JSON.stringify({ ...members, check: sha256Hex(JSON.stringify(members)) })}\n`;
}
