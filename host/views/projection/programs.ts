// Documents of published programs (protocol 14.8).
// Keeps: the event does not repeat the module, which is stored once, by its hash.

import { moduleOf } from '../../execution/translation/programs.ts';
import { rowKey } from '../../store/prefixes.ts';
import type { ProgramDoc } from '../../store/task-documents.ts';
import { fromHex } from '../../wire/bytes.ts';
import { sha256Hex } from '../../wire/hash.ts';
import type { PROGRAM_OPERATIONS } from '../../wire/operations/programs.ts';
import type { Projections } from './types.ts';

export const PROGRAM_PROJECTIONS: Projections<keyof typeof PROGRAM_OPERATIONS> = {
  programPublish({ parsed, doc, outcome, place, writer }) {
    const module = moduleOf(parsed.args.module);
    const hash = sha256Hex(module);
    const name = fromHex(hash)!;
    doc.payload = { hash, bytes: module.length };
    // Two that were ordered in one block both paid; the first one is its publisher.
    if (writer.set.get(rowKey.program(name, 0))) return;
    const program: ProgramDoc = {
      hash,
      bytes: module.length,
      publisher_id: doc.agent_id,
      order: outcome.order,
      published_at: place.timeSecs,
    };
    writer.set.putJson(rowKey.program(name, 0), program);
    writer.set.put(rowKey.program(name, 1), module);
  },
};
