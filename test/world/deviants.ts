// Seats that do not follow the protocol: the real node, with what leaves it changed, or run twice with one key; or no node at
// all.

import { decodeMessage, encodeMessage } from '../../host/net/messages.ts';
import type { Dice } from '../model/consensus/random-dag.ts';
import { JunkSeat } from './junk-seat.ts';
import type { SimNetwork } from './network.ts';
import type { Deviation } from './plan.ts';
import type { Filter } from './wires.ts';

/** A seat that fills its vertices with junk, in place of the machine's node. */
export function startJunk(net: SimNetwork, seat: number): void {
  const { dice } = net.universe;
  const isWithheld = dice.chance(50);
  net.remove(`n${seat}`);
  const junk = new JunkSeat(net, seat);
  junk.start();
  junk.spam({ bytes: dice.pick([1000, 100_000, 1_000_000]), everyMs: 500, count: 60, isWithheld });
}

/** What a deviating seat does to each message that it sends; undefined: it sends what the node sends. */
export function filterOf(how: Deviation, dice: Dice, nowMs: () => number): Filter | undefined {
  switch (how) {
    case 'twin':
    case 'junk':
      return undefined;
    case 'silent': {
      const fromMs = nowMs() + dice.between(2000, 30_000);
      return (message) => (nowMs() < fromMs ? [message] : []);
    }
    // Own and others' new vertices reach some peers only.
    case 'partial': {
      return (message, to) => {
        const type = decodeMessage(message)?.type;
        return type === 'vertices' && dice.chance(to.endsWith('1') ? 80 : 40) ? [] : [message];
      };
    }
    // Vertices are kept back and sent in a burst.
    case 'late': {
      const kept = new Map<string, Uint8Array[]>();
      return (message, to) => {
        if (decodeMessage(message)?.type !== 'vertices') return [message];
        const all = [...(kept.get(to) ?? []), message];
        if (all.length < 6) {
          kept.set(to, all);
          return [];
        }
        kept.delete(to);
        return all;
      };
    }
    case 'lying_heads':
      return (message) => {
        const decoded = decodeMessage(message);
        if (decoded?.type !== 'head') return [message];
        return [encodeMessage({ ...decoded, order: decoded.order + 1000, block: decoded.block + 500 })];
      };
  }
}
