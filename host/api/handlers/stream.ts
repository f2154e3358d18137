// The path of the stream when it is asked without a WebSocket handshake (protocol 4.10).

import { ServiceError } from '../../errors.ts';
import type { Reply } from '../route.ts';

export function stream(): Reply {
  const headers = { Upgrade: 'websocket', 'Sec-WebSocket-Version': '13' };
  throw new ServiceError('upgrade_required', { headers });
}
