// Votes on disputes in random worlds: each judge has one opinion of a dispute, commits to it, and reveals it; now and then it
// errs, or tries what is not allowed. Drawn from nothing, so that worlds go on as before.

import * as abi from '../../assembly/abi.ts';
import type { Command } from '../model/command.ts';
import type { Model } from '../model/model.ts';
import { commitmentOf } from '../model/voting.ts';
import { hash } from './world-setup.ts';

const SHARES = [0, 0, 10, 4, 4, 5, 5, 6, 1, 9];
const GROUNDS = [abi.GROUND_NONE, abi.GROUND_NOTHING_DELIVERED, abi.GROUND_PLAGIARISM];

/** What the agent of this key says about a dispute, whenever it is asked. */
function opinionOf(eventId: string, key: string): Pick<Command, 'verdict' | 'share' | 'ground' | 'salt'> {
  const draw = hash(`opinion ${eventId} ${key}`);
  const at = (from: number): number => Number.parseInt(draw.slice(from, from + 4), 16);
  const isGood = Number.parseInt(eventId[0]!, 16) % 5 > 1;
  const verdict = at(0) % 7 === 0 ? !isGood : isGood;
  const ground = GROUNDS[at(4) % 40] ?? abi.GROUND_FRAUD;
  return {
    verdict,
    share: verdict ? SHARES[at(8) % 10]! : 0,
    ground: verdict ? abi.GROUND_NONE : ground,
    salt: hash(draw),
  };
}

/** A verdict on a dispute as what its stage asks for; any other command as it is. `key`: the agent key of its actor. */
export function asVote(model: Model, c: Command, key: string): Command {
  const odd = Number.parseInt(c.txid.slice(8, 12), 16) % 50;
  const item = c.opcode === abi.OP_VERIFY ? model.s.items.find((i) => i.eventId === c.other) : undefined;
  if (item?.kind !== abi.ITEM_DISPUTE) {
    if (c.opcode === abi.OP_VERIFY && item && odd === 0) return { ...c, opcode: abi.OP_VOTE_COMMIT };
    return c.opcode === abi.OP_VERIFY && odd === 1 ? { ...c, salt: hash('salt') } : c;
  }
  const vote = opinionOf(item.eventId, key);
  const commits = item.isRevealing ? odd === 2 : odd > 4;
  if (!commits) return odd === 3 ? { ...c, ...vote, salt: hash('salt') } : { ...c, ...vote };
  return { ...c, opcode: abi.OP_VOTE_COMMIT, commitment: commitmentOf(item.eventId, key, vote) };
}
