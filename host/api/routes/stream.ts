// The event stream (protocol 4.10, 9). Without a WebSocket handshake its path is an ordinary read that answers 426.

import { ServiceError } from '../../errors.ts';
import type { ReadContext } from '../context.ts';
import type { ReadRoute } from '../route.ts';
import { get } from './get.ts';

/** Error: 426 `upgrade_required`. */
export function withoutHandshake(): never {
  const headers = { Upgrade: 'websocket', 'Sec-WebSocket-Version': '13' };
  throw new ServiceError('upgrade_required', { headers });
}

export const STREAM_READS: ReadRoute<ReadContext>[] = [
  get(
    '/v1/ws',
    'events_stream',
    'Events as they are executed, over WebSocket',
    'StreamMessage',
    withoutHandshake,
    {
      exempt: true,
      stream: true,
      query: [
        { kind: 'text', name: 'filter', doc: 'event types to send, comma-separated; empty: all' },
        {
          kind: 'int',
          name: 'since',
          min: 0,
          max: Number.MAX_SAFE_INTEGER,
          doc: 'first every stored event with a higher seq, then live events; absent: live events only',
        },
        {
          kind: 'enum',
          name: 'writes',
          values: ['true', 'false'],
          doc: 'the client may also send batches of writes, each in a frame',
        },
      ],
      errors: ['invalid_request', 'origin_not_allowed', 'upgrade_required', 'too_many_streams'],
    },
  ),
];
