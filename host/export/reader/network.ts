// The network in an export: checkpoints, and the summaries that were exported whole (protocol 3.10).

import { signedCheckpoint } from '../../api/handlers/log.ts';
import { checkpointObject } from '../../api/handlers/network.ts';
import type { ReadArgs, Reply } from '../../api/route.ts';
import type { RouteId } from '../../api/tags.ts';
import { ServiceError } from '../../errors.ts';
import type { CheckpointDoc } from '../../store/documents.ts';
import { askNode, document, missing, mustBeWhole } from './answers.ts';
import type { Snapshot } from './snapshot.ts';

/** The answer to a route, as it is without parameters. Errors: `ask_a_node` where the query has one. */
export const summary =
  (id: RouteId) =>
  async (s: Snapshot, { query }: ReadArgs): Promise<Reply> => {
    if (Object.keys(query).length > 0) throw askNode('moves');
    const [row] = await s.rows<{ doc: string }>('select doc from summary where id = $1', [id]);
    if (!row) throw new ServiceError('not_ready', { text: 'not exported yet' });
    return document(row.doc);
  };

type Shown = Omit<CheckpointDoc, 'block_index' | 'core_root'>;

/** Checkpoints of a range of heights, ascending. */
async function checkpointsOf(s: Snapshot, from: number, to: number): Promise<Shown[]> {
  const rows = await s.rows<Omit<Shown, 'order' | 'consensus_time' | 'signatures'> & Row>(
    `select height, ord, time_ms, state_root, manifest_digest, block_hash, statement, signatures
     from checkpoint where height between $1 and $2 order by height`,
    [from, to],
  );
  return rows.map(
    ({ height, ord, time_ms, state_root, manifest_digest, block_hash, statement, signatures }) => ({
      height,
      order: ord,
      consensus_time: time_ms / 1000,
      state_root,
      manifest_digest,
      block_hash,
      statement,
      signatures: JSON.parse(signatures) as Shown['signatures'],
    }),
  );
}

interface Row {
  ord: number;
  time_ms: number;
  signatures: string;
}

export async function latestCheckpoint(s: Snapshot): Promise<Reply> {
  const [newest] = await checkpointsOf(s, s.signedHeight, s.signedHeight);
  if (!newest) throw missing(s, 'checkpoint_not_found');
  return { body: checkpointObject(newest) };
}

export async function checkpoints(s: Snapshot, { query, page }: ReadArgs): Promise<Reply> {
  mustBeWhole(s);
  const after = query.after as number;
  const first = after + 1 + page.offset;
  const last = Math.min(first + page.size - 1, s.signedHeight);
  const found = last < first ? [] : await checkpointsOf(s, first, last);
  return {
    body: found.map((one) => signedCheckpoint({ ...one, block_index: 0 })),
    total: Math.max(0, s.signedHeight - after),
  };
}
