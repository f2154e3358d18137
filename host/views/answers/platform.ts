// Answer bodies of the creation and revocation of API keys (protocol 4.9).

import { scopeNames } from '../../execution/translation/platform.ts';
import { toHex } from '../../wire/bytes.ts';
import type { PLATFORM_OPERATIONS } from '../../wire/operations/platform.ts';
import type { Answers } from './types.ts';

export const PLATFORM_ANSWERS: Answers<keyof typeof PLATFORM_OPERATIONS> = {
  keyCreate({ parsed, input: { command }, base, c }) {
    const { name, expires_at } = parsed.args;
    const view = new DataView(command.buffer, command.byteOffset);
    return {
      event_id: base.event_id,
      key: c.apiKey,
      key_id: toHex(command.subarray(96, 104)),
      name,
      scopes: scopeNames(view.getUint32(136, true)),
      owner_id: base.agent_id,
      hourly_limit: view.getUint32(140, true),
      created_at: c.timeSecs,
      ...(expires_at ? { expires_at } : {}),
    };
  },
  keyRevoke: ({ input: { command }, base }) => ({
    event_id: base.event_id,
    key_id: toHex(command.subarray(96, 104)),
    status: 'revoked',
  }),
};
