// Drawing of validators: advisory names and binding panels (DECISIONS 6.9), by walking lists.

import * as abi from '../../assembly/abi.ts';
import * as figures from './figures.ts';
import { drawNumber } from './hashing.ts';
import * as rules from './rules.ts';
import type { ModelAgent, ModelState, ModelValidator } from './state.ts';

interface Candidate {
  v: ModelValidator;
  w: bigint;
}

const activeCount = (s: ModelState): number =>
  s.validators.filter((v) => v.status === abi.VALIDATOR_ACTIVE).length;

function candidates(s: ModelState, category: number, parties: ModelAgent[]): Candidate[] {
  const required = rules.requiredStake(figures.assuredVolume(s), activeCount(s), figures.assuredLargest(s));
  const least = s.config.testnet ? rules.max(required, 25_000n * rules.TOKEN) : required;
  const inOffice = [abi.VALIDATOR_ACTIVE, abi.VALIDATOR_PROBATION] as number[];
  return s.validators
    .filter((v) => inOffice.includes(v.status) && v.agent.staked >= least && !parties.includes(v.agent))
    .map((v) => ({ v, w: BigInt(figures.assignmentWeight(v, category)) }))
    .sort((a, b) => Buffer.compare(Buffer.from(a.v.id), Buffer.from(b.v.id)));
}

function drawFrom(
  s: ModelState,
  event: string,
  from: Candidate[],
  most: number,
  drawn: ModelValidator[],
): void {
  const left = from.filter((c) => !drawn.includes(c.v));
  while (drawn.length < most && left.length > 0) {
    const sum = left.reduce((total, x) => total + x.w, 0n);
    let number = drawNumber(event, s.blockHash, drawn.length + 1) % sum;
    const place = left.findIndex((x) => {
      if (number < x.w) return true;
      number -= x.w;
      return false;
    });
    drawn.push(left.splice(place, 1)[0]!.v);
  }
}

/** Up to `most` names that are no parties. */
export function drawNames(
  s: ModelState,
  event: string,
  category: number,
  parties: ModelAgent[],
  most: number,
): ModelValidator[] {
  const drawn: ModelValidator[] = [];
  drawFrom(s, event, candidates(s, category, parties), most, drawn);
  return drawn;
}

/** A panel: those who would pass their share of today's seats only when it cannot be filled otherwise. */
export function drawPanel(
  s: ModelState,
  event: string,
  category: number,
  parties: ModelAgent[],
  size: number,
): ModelValidator[] {
  const all = candidates(s, category, parties);
  const today = Math.floor(s.now / s.param(abi.PARAM_DAY_SECS));
  const seats = s.seatLog.filter((seat) => seat.day === today);
  const cap = activeCount(s) < 10 ? 2000 : 1500;
  const isOver = (v: ModelValidator): boolean =>
    (seats.filter((seat) => seat.validator === v).length + 1) * 10_000 > cap * (seats.length + size);
  const drawn: ModelValidator[] = [];
  const isCapped = all.length >= 5 && seats.length >= 20;
  drawFrom(s, event, isCapped ? all.filter((c) => !isOver(c.v)) : all, size, drawn);
  drawFrom(s, event, all, size, drawn);
  for (const validator of drawn) s.seatLog.push({ day: today, validator });
  return drawn;
}
