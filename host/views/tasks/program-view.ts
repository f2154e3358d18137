// The Program object, from stored documents and the standard checks (protocol 3.12).

import { CHECK_DIGESTS } from '../../modules/module-digests.ts';
import { standardCheck } from '../../modules/standard-checks.ts';
import { rowKey } from '../../store/prefixes.ts';
import { programRuns, runCount } from '../../store/run-counts.ts';
import type { ProgramDoc } from '../../store/task-documents.ts';
import { readJson } from '../../store/write-set.ts';
import { toBase64 } from '../../wire/base64.ts';
import { fromHex } from '../../wire/bytes.ts';
import type { Store } from '../../world/store.ts';

type Rows = Pick<Store, 'get'>;

const nameOf = (hash: string): string | undefined =>
  Object.entries(CHECK_DIGESTS).find(([, digest]) => digest === hash)?.[0];

/** The module of a program; undefined for an unknown hash. */
function moduleBytes(rows: Rows, hash: string): Uint8Array | undefined {
  const standard = standardCheck(hash);
  if (standard) return standard;
  return /^[0-9a-f]{64}$/.test(hash) ? rows.get(rowKey.program(fromHex(hash)!, 1)) : undefined;
}

/** A Program; undefined for an unknown hash. */
export function programObject(
  rows: Rows,
  hash: string,
  withModule = false,
): Record<string, unknown> | undefined {
  const module = moduleBytes(rows, hash);
  if (!module) return undefined;
  const name = nameOf(hash);
  const doc =
    name === undefined ? readJson<ProgramDoc>(rows.get(rowKey.program(fromHex(hash)!, 0))) : undefined;
  return {
    hash,
    bytes: module.length,
    standard_check: name,
    publisher_id: doc?.publisher_id,
    published_at: doc?.published_at,
    ...runCount(rows, programRuns(hash)),
    module: withModule ? toBase64(module) : undefined,
  };
}
