// Documents for API keys.

import { scopeNames } from '../../execution/translation/platform.ts';
import type { ApiKeyDoc } from '../../store/documents.ts';
import { rowKey } from '../../store/prefixes.ts';
import { toHex } from '../../wire/bytes.ts';
import type { PLATFORM_OPERATIONS } from '../../wire/operations/platform.ts';
import type { Projections } from './types.ts';

export const PLATFORM_PROJECTIONS: Projections<keyof typeof PLATFORM_OPERATIONS> = {
  keyCreate({ parsed, input: { command }, doc, writer }) {
    const view = new DataView(command.buffer, command.byteOffset);
    const node = writer.c.ids.seatKey(view.getUint32(152, true));
    const key: ApiKeyDoc = {
      key_id: toHex(command.subarray(96, 104)),
      name: parsed.args.name,
      scopes: scopeNames(view.getUint32(136, true)),
      owner_id: doc.agent_id,
      issuing_node: toHex(node),
    };
    writer.set.putJson(rowKey.apiKey(command.subarray(96, 104)), key);
    doc.payload = { key_id: key.key_id, name: key.name, scopes: key.scopes, owner_id: key.owner_id };
  },
  keyRevoke({ input: { command }, doc, writer }) {
    writer.set.delete(rowKey.apiKey(command.subarray(96, 104)));
    doc.payload = { key_id: toHex(command.subarray(96, 104)) };
  },
};
