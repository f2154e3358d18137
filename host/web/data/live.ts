// The event stream, followed once for the whole page: the newest events and the state of the connection.
// Keeps: events in the order of seq without gaps or repeats (the client ensures that), and a bounded number of them.

import { followEvents, type SocketLike, type StreamEvent, type StreamMessage } from '../../client/index.ts';
import { baseUrl, node } from './node.ts';

/** Past events shown when the page opens. */
const PAST = 40;
const MAX_KEPT = 200;

type LiveState = 'connecting' | 'live' | 'lost';

export interface Live {
  state: LiveState;
  /** Newest first. */
  events: readonly StreamEvent[];
  /** Events that arrived since the page was opened. */
  fresh: number;
}

/** Titles of tasks whose posting was in the stream. */
export const titles = new Map<string, string>();
export const titleOf = (taskId: string): string | undefined => titles.get(taskId);

let live: Live = { state: 'connecting', events: [], fresh: 0 };
const watchers = new Set<(live: Live) => void>();
let waiting: StreamEvent[] = [];
let head = 0;

function change(part: Partial<Live>): void {
  live = { ...live, ...part };
  for (const notify of watchers) notify(live);
}

/** Events that arrive within a frame are shown together: a busy node sends more of them than a screen has frames. */
function take(message: StreamMessage): void {
  if (message.type === 'gap') return;
  if (message.type === 'task_posted' || message.type === 'subtask_posted') {
    titles.set(message.data.task_id, message.data.title);
  }
  if (waiting.push(message) > 1) return;
  requestAnimationFrame(() => {
    const arrived = waiting.reverse();
    waiting = [];
    const fresh = live.fresh + arrived.filter(({ seq }) => seq > head).length;
    change({ events: [...arrived, ...live.events].slice(0, MAX_KEPT), fresh });
  });
}

function openSocket(url: string): SocketLike {
  const socket = new WebSocket(url);
  socket.addEventListener('open', () => change({ state: 'live' }));
  socket.addEventListener('close', () => change({ state: 'lost' }));
  return socket as SocketLike;
}

/** Follows for as long as the page is open. */
async function follow(): Promise<void> {
  const [newest] = await node.recentEvents({ limit: 1 });
  head = newest?.seq ?? 0;
  for await (const message of followEvents({ baseUrl, since: Math.max(0, head - PAST), openSocket })) {
    take(message);
  }
}

let isStarted = false;

/** Reports the state now and after each change; returns a function that ends this. */
export function watchLive(notify: (live: Live) => void): () => void {
  if (!isStarted) {
    isStarted = true;
    follow().catch(() => change({ state: 'lost' }));
  }
  watchers.add(notify);
  notify(live);
  return () => watchers.delete(notify);
}
