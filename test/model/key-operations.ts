// API keys: created and revoked (protocol 4.9, 5.5).

import * as abi from '../../assembly/abi.ts';
import { isActive } from './admission.ts';
import type { Command } from './command.ts';
import { refuse, type Verdict } from './refusal.ts';
import type { ModelAgent, ModelKey, ModelState } from './state.ts';

const KEYS = 4;
const big = (n: number): bigint => BigInt(n);

export function keyCreate(s: ModelState, c: Command, actor: ModelAgent, now: number): Verdict {
  const init = c.newKey;
  if (init.expires !== 0 && init.expires <= now)
    return refuse(abi.INVALID_REQUEST, big(abi.REASON_KEY_EXPIRY));
  if (s.keys.some((k) => k.id === init.id)) return refuse(abi.INVALID_REQUEST);
  if (s.keys.filter((k) => k.owner === actor && isActive(k, now)).length >= 50) return refuse(abi.KEY_LIMIT);
  if (s.keys.length >= s.capacity(KEYS)) return refuse(abi.CAPACITY, big(abi.TABLE_KEYS));
  const deposit = s.rowPrice(KEYS, s.keys.length);
  if (actor.balance < deposit) return refuse(abi.INSUFFICIENT_BALANCE, actor.balance, deposit);
  return () => {
    actor.balance -= deposit;
    const hash = Buffer.from(init.hash).toString('hex');
    s.keys.push({ ...init, hash, owner: actor, created: now, deposit, hour: 0, uses: 0 });
    return [big(actor.index)];
  };
}

export function keyRevoke(s: ModelState, c: Command, actor: ModelAgent): Verdict {
  const key = s.keys.find((k) => k.id === c.newKey.id);
  if (!key) return refuse(abi.KEY_NOT_FOUND);
  if (key.owner !== actor && s.seats.get(key.seat)!.operator !== actor) return refuse(abi.FORBIDDEN_ACTOR);
  return () => {
    endKey(s, key);
    return [big(actor.index)];
  };
}

/** Revoked or expired: the key is gone, and its deposit is the owner's again. */
export function endKey(s: ModelState, key: ModelKey): void {
  key.owner.balance += key.deposit;
  s.keys.splice(s.keys.indexOf(key), 1);
}
