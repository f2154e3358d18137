// Consensus and recovery keys of validators with a seat (protocol 4.3, 5.8).

import * as abi from '../../assembly/abi.ts';
import type { Command } from './command.ts';
import { refuse, type Verdict } from './refusal.ts';
import type { ModelAgent, ModelState } from './state.ts';
import { validatorNamed } from './validator-life.ts';
import type { ModelValidator } from './validator-state.ts';

const ZERO = '0'.repeat(64);
const big = (n: number): bigint => BigInt(n);

/** `asking`: whose own waiting key the new one would replace. */
function isInUse(s: ModelState, key: string, asking?: ModelValidator): boolean {
  if ([...s.seats.values()].some((seat) => seat.key === key)) return true;
  return s.validators.some(
    (v) => v.recovery === key || v.nextRecovery === key || (v !== asking && v.nextKey === key),
  );
}

export function setRecovery(s: ModelState, c: Command, actor: ModelAgent): Verdict {
  if (c.other === ZERO) return refuse(abi.INVALID_REQUEST);
  const v = validatorNamed(s, c.target, actor);
  if (!v) return refuse(abi.VALIDATOR_NOT_FOUND);
  if (v.agent !== actor) return refuse(abi.FORBIDDEN_ACTOR);
  if (s.seats.get(v.seat)?.key === c.other) return refuse(abi.INVALID_REQUEST, big(abi.REASON_CONSENSUS_KEY));
  if (isInUse(s, c.other)) return refuse(abi.KEY_IN_USE);
  return () => {
    const isFirst = v.recovery === '';
    const at = isFirst ? s.now : s.now + s.param(abi.PARAM_RECOVERY_DELAY_SECS);
    if (isFirst) v.recovery = c.other;
    else Object.assign(v, { nextRecovery: c.other, nextRecoveryAt: at });
    return [big(actor.index), big(v.index), big(at)];
  };
}

// Which key signed; without signatures a node acts for its own seat with the old one.
function signerOf(s: ModelState, c: Command, v: ModelValidator): 'old' | 'recovery' | undefined {
  const seat = s.seats.get(v.seat);
  if (!seat) return undefined;
  if (c.auth === abi.AUTH_UNSIGNED) return c.seat === v.seat ? 'old' : undefined;
  if (seat.key === c.actor) return 'old';
  return v.recovery === c.actor ? 'recovery' : undefined;
}

/** The consensus key as four words of the result. */
const keyWords = (key: string): bigint[] =>
  [0, 8, 16, 24].map((at) => Buffer.from(key, 'hex').readBigUInt64LE(at));

export function rotate(s: ModelState, c: Command): Verdict {
  if (c.other === ZERO) return refuse(abi.INVALID_REQUEST);
  const v = validatorNamed(s, c.target);
  if (!v) return refuse(abi.VALIDATOR_NOT_FOUND);
  const signer = signerOf(s, c, v);
  if (!signer) return refuse(abi.FORBIDDEN_ACTOR);
  if (isInUse(s, c.other, v)) return refuse(abi.KEY_IN_USE);
  if (signer === 'old' && v.nextKeyAt !== 0) return refuse(abi.ROTATION_PENDING);
  return () => {
    const seat = s.seats.get(v.seat)!;
    const at = signer === 'old' ? 0 : s.now + s.param(abi.PARAM_RECOVERY_DELAY_SECS);
    const words = [v.agent.index, v.index, at, seat.keyEpoch, seat.keyEpoch + 1, signer === 'old' ? 0 : 1];
    const before = keyWords(seat.key);
    if (signer === 'recovery') Object.assign(v, { nextKey: c.other, nextKeyAt: at });
    else Object.assign(seat, { key: c.other, keyEpoch: seat.keyEpoch + 1 });
    return [...words.map(big), ...before];
  };
}
