// Types of the event stream's messages, derived from the node's own table, so that the two cannot drift.
// Units: amounts in micro-units, deadlines and timestamps in Unix seconds. Types only; a newer node may send types and
// members that are not listed. Source: protocol 2.1, 9.

import type { STREAM_DATA } from '../api/stream-events.ts';
import type { TypeOf } from './objects.ts';

export type StreamType = keyof typeof STREAM_DATA;

/** Type name of a member in the table: as text, or the first of a pair. */
type NameOf<M> = M extends readonly [infer T extends string, unknown] ? T : M extends string ? M : never;
type DataOf<F> = {
  -readonly [K in keyof F as NameOf<F[K]> extends `${string}?` ? never : K]: TypeOf<NameOf<F[K]>>;
} & {
  -readonly [K in keyof F as NameOf<F[K]> extends `${string}?` ? K : never]?: NameOf<
    F[K]
  > extends `${infer T}?`
    ? TypeOf<T>
    : never;
};

/** `data` of an event type. */
export type StreamData<T extends StreamType> = { event_id: string; agent_id: string } & DataOf<
  (typeof STREAM_DATA)[T]
>;

interface Envelope<T extends string, D> {
  /** Position in the list of executed events, the same on every node. */
  seq: number;
  type: T;
  timestamp: number;
  data: D;
}

/** One executed event. `type` determines the members of `data`. */
export type StreamEvent = { [T in StreamType]: Envelope<T, StreamData<T>> }[StreamType];

/** Events `from` + 1 to `to` are no longer available from this node. */
export type StreamGap = Envelope<'gap', { from: number; to: number }>;

export type StreamMessage = StreamEvent | StreamGap;
