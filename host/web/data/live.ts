// The event stream, followed once for the whole page: the newest events and the state of the connection.
// Keeps: events in the order of seq without gaps or repeats (the client ensures that), and a bounded number of them and of
// titles; the page changes at most twice a second, however much arrives, and not at all while it is hidden.

import { followEvents, type SocketLike, type StreamEvent, type StreamMessage } from '../../client/index.ts';
import { portableClock } from '../../world/portable.ts';
import { baseUrl, node } from './node.ts';
import { cellOf, type Watched } from './watched.ts';

/** Past events shown when the page opens. */
const PAST = 40;
const MAX_KEPT = 200;
const MAX_TITLES = 1000;
/** Between two changes of the page: faster than anybody reads. */
const SHOW_MS = 500;
/** Hidden for so long, the page lets go of the stream. */
const LEAVE_MS = 30_000;

type LiveState = 'connecting' | 'live' | 'lost';

export interface Live {
  state: LiveState;
  /** Newest first. */
  events: readonly StreamEvent[];
  /** Events that arrived since the page was opened. */
  fresh: number;
}

/** Titles of tasks whose posting was in the stream, the newest of them. */
export const titles = new Map<string, string>();
export const titleOf = (taskId: string): string | undefined => titles.get(taskId);

const present = cellOf<Live>({ state: 'connecting', events: [], fresh: 0 });
/** What arrived and is not shown yet, newest last. */
let waiting: StreamEvent[] = [];
let waitingFresh = 0;
let isPlanned = false;
/** The newest event when the page was opened, and the newest that arrived. */
let head = 0;
let reached = 0;
/** Events were left out: what is shown does not lead up to what arrives. */
let isJump = false;

const change = (part: Partial<Live>): void => present.set({ ...present.now(), ...part });

function keepTitle(id: string, title: string): void {
  titles.set(id, title);
  for (const oldest of titles.keys()) {
    if (titles.size <= MAX_TITLES) break;
    titles.delete(oldest);
  }
}

function take(message: StreamMessage): void {
  if (message.type === 'gap') return;
  if (message.type === 'task_posted' || message.type === 'subtask_posted')
    keepTitle(message.data.task_id, message.data.title);
  reached = message.seq;
  if (reached > head) waitingFresh += 1;
  waiting.push(message);
  if (waiting.length > 2 * MAX_KEPT) waiting = waiting.slice(-MAX_KEPT);
  if (document.hidden || isPlanned) return;
  isPlanned = true;
  portableClock.setTimer(show, SHOW_MS);
}

function show(): void {
  isPlanned = false;
  if (waiting.length === 0) return;
  const older = isJump ? [] : present.now().events;
  const events = [...waiting.reverse(), ...older].slice(0, MAX_KEPT);
  const fresh = present.now().fresh + waitingFresh;
  [waiting, waitingFresh, isJump] = [[], 0, false];
  change({ events, fresh });
}

function openSocket(url: string): SocketLike {
  const socket = new WebSocket(url);
  socket.addEventListener('open', () => change({ state: 'live' }));
  socket.addEventListener('close', () => change({ state: following ? 'lost' : 'connecting' }));
  return socket as SocketLike;
}

/** Follows until `signal` aborts. */
async function follow(signal: AbortSignal): Promise<void> {
  const [newest] = await node.recentEvents({ limit: 1 });
  const end = newest?.seq ?? 0;
  if (reached === 0) head = end;
  const since = Math.max(reached, end - PAST, 0);
  isJump = since > reached;
  for await (const message of followEvents({ baseUrl, since, openSocket, signal })) take(message);
}

let following: AbortController | undefined;
let cancelLeave: (() => void) | undefined;

function start(): void {
  if (following) return;
  const mine = new AbortController();
  following = mine;
  follow(mine.signal).catch(() => {
    if (following === mine) following = undefined;
    if (!mine.signal.aborted) change({ state: 'lost' });
  });
}

function leave(): void {
  following?.abort();
  following = undefined;
}

function onVisibility(): void {
  cancelLeave?.();
  cancelLeave = undefined;
  if (document.hidden) {
    cancelLeave = portableClock.setTimer(leave, LEAVE_MS);
    return;
  }
  start();
  show();
}

let isStarted = false;

export const live: Watched<Live> = {
  now: present.now,
  watch(notify) {
    if (!isStarted) {
      isStarted = true;
      document.addEventListener('visibilitychange', onVisibility);
      start();
    }
    return present.watch(notify);
  },
};
