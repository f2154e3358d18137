// What operators see of a node's network: peers, traffic, seats that sign junk.

import type { HistoryFrom } from './messages.ts';
import type { Peer } from './peer.ts';

/** A peer, for operators. */
export interface PeerInfo {
  key: string;
  address: string;
  seat: number | undefined;
  latencyMs: number | undefined;
  order: number | undefined;
  epoch: number | undefined;
  /** Where its history begins, as it says. */
  from: HistoryFrom | undefined;
  /** The operator named it, or its name. */
  isConfigured: boolean;
  sent: number;
  received: number;
}

export const infoOf = (peer: Peer): PeerInfo => ({
  key: peer.key,
  address: peer.link.address,
  seat: peer.seat,
  latencyMs: peer.latencyMs,
  order: peer.head?.order,
  epoch: peer.head?.epoch,
  from: peer.head?.from,
  isConfigured: peer.isDialed,
  ...peer.traffic,
});

/** Of a seat: bytes of junk that came in, vertices that were held back, and that were dropped for it. */
export interface SeatJunk {
  seat: number;
  bytes: number;
  held: number;
  dropped: number;
}

/** Traffic since the start, and how far others are ahead. */
export interface NetworkFigures {
  sentBytes: number;
  receivedBytes: number;
  /** Received vertices, known ones included. */
  vertices: number;
  /** Requests for missing vertices. */
  requests: number;
  /** Order numbers that the most advanced peer is ahead. */
  ordersBehind: number;
}
