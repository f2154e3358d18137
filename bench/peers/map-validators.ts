// Validators of the plain JavaScript ledger: what their votes weigh, and what a quorum is measured against.
// Keeps: new weight, above what was held before, never counts for more than a quarter of the held weight.
// Sources: protocol 6.9, 6.17.

import { DAY_SECS, lowerOf, MapAccounts, type MapLimits } from './map-accounts.ts';
import type { MapValidator } from './map-types.ts';

const BP = 10_000n;
/** New weight counts up to this part of the held weight; a quorum is measured against at least that part of it. */
const HELD_PER_FRESH = 4n;
const HELD_PER_LEAST_TOTAL = 5n;
/** On a day this part of the new weight that counts becomes held. */
const FRESH_DAYS = 30n;

/** What new weight is measured against: sums over those who may judge, and the held weight of all. */
interface Judges {
  held: bigint;
  fresh: bigint;
  allHeld: bigint;
}

export class MapValidators extends MapAccounts {
  protected readonly validators: MapValidator[] = [];
  private judges: Judges = { held: 0n, fresh: 0n, allHeld: 0n };
  private weightDay = 0;

  /** `operator`: hex key of the only seat, which begins with all of its weight held. */
  constructor(operator: string, limits: MapLimits) {
    super(operator, limits);
    const validator: MapValidator = {
      agent: this.agents[0]!,
      isActive: true,
      baselineBp: 5000n,
      held: 0n,
      lastDuty: 0,
      votesDecided: 0,
      votesRight: 0,
    };
    validator.held = this.presentWeight(validator);
    this.validators.push(validator);
  }

  /** At the first block of a day. */
  protected rollWeights(): void {
    const day = Math.floor(this.nowSecs / DAY_SECS);
    if (day === this.weightDay) return;
    this.weightDay = day;
    this.measureJudges(() => true);
    for (const validator of this.validators) {
      const held = this.heldPart(validator, this.presentWeight(validator));
      const fresh = validator.isActive ? this.voteWeight(validator) - held : 0n;
      validator.held = held + (fresh + FRESH_DAYS - 1n) / FRESH_DAYS;
    }
  }

  /** `voteWeight` and `leastTotal` mean these judges from then on. */
  protected measureJudges(mayJudge: (validator: MapValidator) => boolean): void {
    const judges: Judges = { held: 0n, fresh: 0n, allHeld: 0n };
    for (const validator of this.validators) {
      if (!validator.isActive) continue;
      const weight = this.presentWeight(validator);
      const held = this.heldPart(validator, weight);
      judges.allHeld += held;
      if (!mayJudge(validator)) continue;
      judges.held += held;
      judges.fresh += weight - held;
    }
    this.judges = judges;
  }

  /** Where those with held weight may not judge, the others do not decide for the network. */
  protected leastTotal(): bigint {
    return this.judges.allHeld / HELD_PER_LEAST_TOTAL;
  }

  protected voteWeight(validator: MapValidator): bigint {
    if (!validator.isActive) return 0n;
    const { held: heldByAll, fresh, allHeld } = this.judges;
    const weight = this.presentWeight(validator);
    const most = heldByAll / HELD_PER_FRESH;
    if (allHeld === 0n || fresh <= most) return weight;
    const held = this.heldPart(validator, weight);
    return held + ((weight - held) * most) / fresh;
  }

  /** The score counts above the baseline as far as standing carries the weight. */
  private presentWeight({ agent, baselineBp }: MapValidator): bigint {
    const score = this.reputationBp(agent);
    if (score <= baselineBp || agent.staked === 0n) return (baselineBp * agent.staked) / BP;
    const carried = (this.standingPower(agent) * BP) / agent.staked;
    return (lowerOf(score, baselineBp + carried) * agent.staked) / BP;
  }

  private heldPart(validator: MapValidator, weight: bigint): bigint {
    return lowerOf(weight, validator.held);
  }
}
