// The log as bytes, for clients that compute order and state themselves: genesis, vertices, signed checkpoints, seals, and
// the state at a seal.
// Keeps: a request reads only what it sends, a quarter of a mebibyte at most unless a single item is longer, since the main
// thread does nothing else meanwhile.

import { ServiceError } from '../../errors.ts';
import { readHead } from '../../execution/recovery.ts';
import { encodeMessage } from '../../net/messages.ts';
import { signedHeight } from '../../ordering/checkpoints.ts';
import type { CheckpointDoc } from '../../store/documents.ts';
import { rowKey } from '../../store/prefixes.ts';
import { readJson } from '../../store/write-set.ts';
import { fromHex } from '../../wire/bytes.ts';
import { encodeLogPage } from '../../wire/log-page.ts';
import { paramsJson } from '../../wire/params.ts';
import type { ReadContext } from '../context.ts';
import type { ReadArgs, Reply } from '../route.ts';
import { missing } from './history.ts';

const MAX_BYTES = 256 * 1024;
const MAX_VERTICES = 8192;
/** Ids looked up per call of the store: few at first, since a page may hold few vertices. */
const FIRST_CHUNK = 8;
const MAX_CHUNK = 256;

let readers = 0;

const bytesReply = (body: Uint8Array | Promise<Uint8Array>): Reply => ({
  body,
  contentType: 'application/octet-stream',
  compress: true,
});

/** The document behind the genesis hash. */
export function genesis({ genesis: g }: Pick<ReadContext, 'genesis'>): Reply {
  return {
    body: {
      chain_id: g.chainId,
      genesis_hash: g.hashHex,
      manifest: g.manifest,
      params: paramsJson(g.params),
    },
  };
}

/** Vertices of an epoch from a position on, in the order in which this node received them. */
export function logVertices(c: ReadContext, { query }: ReadArgs): Reply {
  const { store } = c;
  const [epoch, from] = [query.epoch as number, query.from as number];
  const { epoch: running } = readHead(store);
  if (epoch > running)
    throw new ServiceError('not_found', { text: `epoch ${epoch} has not started on this node` });
  if (epoch < c.history().log.epoch) throw missing(c, 'not_found', 'log');
  const vertices: Uint8Array[] = [];
  let [bytes, next] = [0, from];
  let isFull = false;
  let isEnd = false;
  for (let chunk = FIRST_CHUNK; !isFull && !isEnd; chunk = Math.min(MAX_CHUNK, 2 * chunk)) {
    const keys = Array.from({ length: chunk }, (_, i) => rowKey.epochVertex(epoch, next + i));
    for (const id of store.getMany(keys)) {
      const vertex = id && store.get(rowKey.vertex(id));
      isEnd = vertex === undefined;
      if (!vertex) break;
      isFull = vertices.length === MAX_VERTICES || (bytes + vertex.length > MAX_BYTES && bytes > 0);
      if (isFull) break;
      bytes += vertex.length;
      vertices.push(vertex);
      next += 1;
    }
  }
  const end = isFull ? 'more' : epoch < running ? 'sealed' : 'now';
  return bytesReply(encodeLogPage({ epoch, from, next, end, vertices }));
}

/** The SignedCheckpoint object. */
export const signedCheckpoint = ({ block_index, block_hash, core_root, ...shown }: CheckpointDoc): object =>
  shown;

/** Signed checkpoints, ascending. */
export function checkpoints({ store }: ReadContext, { query, page }: ReadArgs): Reply {
  const after = query.after as number;
  const last = signedHeight(store);
  const first = after + 1 + page.offset;
  const count = Math.max(0, Math.min(page.size, last - first + 1));
  const keys = Array.from({ length: count }, (_, i) => rowKey.checkpoint(first + i));
  const docs = store.getMany(keys).flatMap((row) => readJson<CheckpointDoc>(row) ?? []);
  return {
    body: docs.map(signedCheckpoint),
    total: Math.max(0, last - after),
  };
}

/** Proofs of the seals of epochs, and the epoch at whose start this node can serve the state. */
export function seals({ joining }: ReadContext, { query }: ReadArgs): Reply {
  return bytesReply(encodeMessage(joining.seals(query.from as number)));
}

/** Rows of the state at the start of an epoch, after a key; the key's first byte is the kind of rows. */
export function sealedState({ joining }: ReadContext, { query }: ReadArgs): Reply {
  const after = fromHex(query.after as string);
  if (!after || after.length === 0)
    throw new ServiceError('invalid_request', { text: 'after must be a key in hex' });
  // With its own name, a request waits only for a running read of the snapshot, not for answers to other clients.
  readers += 1;
  return bytesReply(
    joining
      .rows(`http ${readers}`, query.epoch as number, after, MAX_BYTES)
      .then((served) => encodeMessage(served!.answer)),
  );
}
