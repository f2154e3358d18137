// The event stream, followed once for the whole page: the newest events and whether the connection stands.
// Keeps: events in the order of seq without a hole or a repeat (the client sees to that), and a bounded number of them.

import { followEvents, type SocketLike, type StreamEvent, type StreamMessage } from '../../client/index.ts';
import { baseUrl, node } from './node.ts';

/** Shown of the past when the page opens. */
const PAST = 40;
const KEPT = 200;

export type LiveState = 'connecting' | 'live' | 'lost';

export interface Live {
  state: LiveState;
  /** Newest first. */
  events: readonly StreamEvent[];
  /** Came since the page was opened. */
  fresh: number;
}

/** Titles of tasks that were posted in the stream. */
const titles = new Map<string, string>();
export const titleOf = (taskId: string): string | undefined => titles.get(taskId);

let live: Live = { state: 'connecting', events: [], fresh: 0 };
const watchers = new Set<(live: Live) => void>();
let waiting: StreamEvent[] = [];
let head = 0;

function change(part: Partial<Live>): void {
  live = { ...live, ...part };
  for (const tell of watchers) tell(live);
}

/** Events that come together are shown together: a busy node sends more of them than a screen has frames. */
function take(message: StreamMessage): void {
  if (message.type === 'gap') return;
  if (message.type === 'task_posted' || message.type === 'subtask_posted') {
    titles.set(message.data.task_id, message.data.title);
  }
  if (waiting.push(message) > 1) return;
  requestAnimationFrame(() => {
    const came = waiting.reverse();
    waiting = [];
    const fresh = live.fresh + came.filter(({ seq }) => seq > head).length;
    change({ events: [...came, ...live.events].slice(0, KEPT), fresh });
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

/** Tells the state now and after each change; the result stops that. */
export function watchLive(tell: (live: Live) => void): () => void {
  if (!isStarted) {
    isStarted = true;
    follow().catch(() => change({ state: 'lost' }));
  }
  watchers.add(tell);
  tell(live);
  return () => watchers.delete(tell);
}
