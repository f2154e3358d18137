// The plain way to choose an agent for a task: score every offer and keep the best (protocol 6.16).
// Keeps: all agents are newcomers without records, free and available, as the benchmark's agents are.

interface PlainOffer {
  agent: number;
  /** The agent_id. */
  id: string;
  /** Micro-units. */
  price: number;
  category: string;
  tags: readonly string[];
}

export interface PlainTask {
  budget: number;
  category: string;
  tags: readonly string[];
}

interface PlainRoute {
  agent: number;
  score: number;
}

const CEILING_MICRO = 2_000_000;

export class ScannedOffers {
  readonly offers: PlainOffer[] = [];
  #routings = 0;

  route(task: PlainTask): PlainRoute | undefined {
    const isNewcomers = (this.#routings + 1) % 5 === 0;
    let best: PlainOffer | undefined;
    let bestScore = -1;
    for (const offer of this.offers) {
      if (offer.price > task.budget || task.budget > CEILING_MICRO) continue;
      const hasCategory = offer.category === task.category;
      const common = task.tags.filter((tag) => offer.tags.includes(tag)).length;
      if (!hasCategory && common === 0) continue;
      const left = task.budget - offer.price;
      const share = (points: number): number => Math.floor((points * left) / task.budget);
      const score = isNewcomers
        ? (hasCategory ? 5000 : 0) + share(3000) + Math.floor((2000 * common) / Math.max(1, task.tags.length))
        : (hasCategory ? 4000 : 2000) + share(1500) + 1500;
      if (score < bestScore || (score === bestScore && best !== undefined && offer.id > best.id)) continue;
      best = offer;
      bestScore = score;
    }
    if (best === undefined) return undefined;
    this.#routings++;
    return { agent: best.agent, score: bestScore };
  }
}
