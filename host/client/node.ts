// The package's ./client on Node: where there is no WebSocket of the platform (Node 20), the one of the package `ws`.

import { WebSocket } from 'ws';
import { type FollowOptions, followEvents as follow } from './stream.ts';
import type { StreamMessage } from './stream-types.ts';
import { overStream as over, type WritesOver } from './stream-writes.ts';

export * from './index.ts';

const hasOwnSocket = 'WebSocket' in globalThis;

/** As in index.ts; `openSocket` is never required. */
export const followEvents = (options: FollowOptions): AsyncGenerator<StreamMessage, void, undefined> =>
  follow(hasOwnSocket ? options : { openSocket: (url) => new WebSocket(url), ...options });

/** As in index.ts; `openSocket` is never required. */
export const overStream = (options: Parameters<typeof over>[0] = {}): WritesOver =>
  over(hasOwnSocket ? options : { openSocket: (url) => new WebSocket(url), ...options });
