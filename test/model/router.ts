// The router as protocol 4.5, 6.16 and 7.7 state it: every question is answered by scanning everything.
// Knows names, not labels; it asks the world around it for everything about agents and tasks.
// Not in docs/protocol, and fixed here: a command does 16 steps and a vertex 256, a step being one task looked at, one
// assignment cleared, or the end of a turn; the rest waits in queues.

export const COMMAND_STEPS = 16;
export const VERTEX_STEPS = 256;
const TOKEN = 1_000_000n;

export interface RoutedTask {
  id: string;
  budget: bigint;
  poster: number;
  category: string;
  tags: string[];
  exclusive: boolean;
  /** Agents that the task keeps out: an earlier claim expired, or an exclusive time lapsed. */
  barred: Set<number>;
  routedTo: number | undefined;
}

export interface TaskRecord {
  completed: number;
  failed: number;
  /** Sum of scores in bp over completed work. */
  scoreBp: bigint;
}

export interface RouterWorld {
  agentId(agent: number): string;
  /** Tasks claimed at present. */
  claimed(agent: number): number;
  /** Completions over all categories but `transfer`. */
  completed(agent: number): number;
  record(agent: number, category: string): TaskRecord | undefined;
  /** Of its standing, 6.17. */
  backing(agent: number): number;
}

export interface Offer {
  price: bigint;
  most: number;
  categories: string[];
  tags: string[];
  available: boolean;
}

export interface Route {
  task: string;
  agent: number;
  score: number;
  isNewcomer: boolean;
  reason: 'best_match' | 'newcomer';
}

interface Place {
  task: RoutedTask;
  number: number;
  agent: number | undefined;
}
interface Wake {
  name: string;
  reached: number;
  end: number;
  again: boolean;
}
interface Clearing {
  agent: number;
  to: number;
}

const mul = (a: bigint, b: bigint, c: bigint): bigint => (a * b) / c;

/** The largest budget for which an agent with such a record comes into question. */
export function ceiling(record: TaskRecord | undefined, backing: number): bigint | undefined {
  const completed = Math.min(record?.completed ?? 0, Math.floor(backing / 100));
  if (completed <= 2) return 2n * TOKEN;
  if (completed <= 9) return 5n * TOKEN;
  if (completed <= 49) return 20n * TOKEN;
  if (completed <= 99 || record!.scoreBp / BigInt(record!.completed) <= 8000n) return 50n * TOKEN;
  return undefined;
}

function recordPoints(record: TaskRecord | undefined, backing: number): bigint {
  if (record === undefined) return 0n;
  const [completed, failed] = [BigInt(record.completed), BigInt(record.failed)];
  const avg = completed === 0n ? 0n : record.scoreBp / completed;
  const rate = completed + failed === 0n ? 0n : mul(completed, 10000n, completed + failed);
  return mul(mul(3000n, (6n * avg + 4n * rate) / 10n, 10000n), BigInt(backing), 10000n);
}

export class RouterModel {
  readonly offers = new Map<number, Offer>();
  readonly routes: Route[] = [];
  /** Those of which an event tells: another agent than the last event of the task named, and eight for a task. */
  readonly announced: Route[] = [];
  readonly #announcements = new Map<string, { agent: number; count: number }>();
  routed = 0;
  newcomerRoutes = 0;
  #small = 0;
  #number = 0;
  #places: Place[] = [];
  #wakes: Wake[] = [];
  #clearings: Clearing[] = [];

  constructor(
    readonly world: RouterWorld,
    /** Steps of a command; smaller ones bring the queues into play sooner. */
    readonly commandSteps = COMMAND_STEPS,
  ) {}

  get waiting(): RoutedTask[] {
    return this.#places.filter((p) => p.agent === undefined).map((p) => p.task);
  }

  isIdle(): boolean {
    return this.#wakes.length === 0 && this.#clearings.length === 0;
  }

  #eligible(task: RoutedTask, agent: number): Offer | undefined {
    const offer = this.offers.get(agent);
    if (!offer?.available || this.world.claimed(agent) >= offer.most) return undefined;
    if (agent === task.poster || task.barred.has(agent) || offer.price > task.budget) return undefined;
    const most = ceiling(this.world.record(agent, task.category), this.world.backing(agent));
    return most !== undefined && task.budget > most ? undefined : offer;
  }

  /** Match score of 6.16 in bp; undefined: no candidate. */
  matchScore(task: RoutedTask, agent: number): bigint | undefined {
    const offer = this.#eligible(task, agent);
    if (offer === undefined) return undefined;
    const hasCategory = offer.categories.includes(task.category);
    if (!hasCategory && !task.tags.some((tag) => offer.tags.includes(tag))) return undefined;
    const free = BigInt(offer.most - this.world.claimed(agent));
    return (
      (hasCategory ? 4000n : 2000n) +
      recordPoints(this.world.record(agent, task.category), this.world.backing(agent)) +
      mul(1500n, task.budget - offer.price, task.budget) +
      mul(1500n, free, BigInt(offer.most))
    );
  }

  /** The newcomers' formula of 6.16 in bp; undefined: no candidate. */
  newcomerScore(task: RoutedTask, agent: number): bigint | undefined {
    const offer = this.#eligible(task, agent);
    if (offer === undefined || this.world.completed(agent) >= 10) return undefined;
    const common = task.tags.filter((tag) => offer.tags.includes(tag)).length;
    const hasCategory = offer.categories.includes(task.category);
    if (!hasCategory && common === 0) return undefined;
    return (
      (hasCategory ? 5000n : 0n) +
      mul(3000n, task.budget - offer.price, task.budget) +
      (task.tags.length === 0 ? 0n : mul(2000n, BigInt(common), BigInt(task.tags.length)))
    );
  }

  #best(score: (agent: number) => bigint | undefined): { agent: number; score: bigint } | undefined {
    let best: { agent: number; score: bigint } | undefined;
    for (const agent of this.offers.keys()) {
      const points = score(agent);
      if (points === undefined) continue;
      const isTie = best !== undefined && points === best.score;
      const isFirst = best !== undefined && this.world.agentId(agent) < this.world.agentId(best.agent);
      if (best === undefined || points > best.score || (isTie && isFirst)) best = { agent, score: points };
    }
    return best;
  }

  #route(task: RoutedTask): boolean {
    const isSmall = task.budget <= 5n * TOKEN;
    const turn = isSmall && (this.#small + 1) % 5 === 0;
    const newcomer = turn ? this.#best((agent) => this.newcomerScore(task, agent)) : undefined;
    const best = newcomer ?? this.#best((agent) => this.matchScore(task, agent));
    if (best === undefined) return false;
    if (isSmall) this.#small++;
    this.routed++;
    if (newcomer !== undefined) this.newcomerRoutes++;
    task.routedTo = best.agent;
    const route: Route = {
      task: task.id,
      agent: best.agent,
      score: Number(best.score),
      isNewcomer: this.world.completed(best.agent) < 10,
      reason: newcomer === undefined ? 'best_match' : 'newcomer',
    };
    this.routes.push(route);
    this.#announce(route);
    return true;
  }

  #announce(route: Route): void {
    const last = this.#announcements.get(route.task);
    if (last?.agent === route.agent || last?.count === 8) return;
    this.#announcements.set(route.task, { agent: route.agent, count: (last?.count ?? 0) + 1 });
    this.announced.push(route);
  }

  #put(task: RoutedTask): void {
    this.#places.push({ task, number: ++this.#number, agent: task.routedTo });
  }

  /** Created or reopened. */
  opened(task: RoutedTask): void {
    task.routedTo = undefined;
    this.#route(task);
    this.#put(task);
  }

  /** Claimed or final. */
  closed(task: RoutedTask): void {
    this.#places = this.#places.filter((p) => p.task !== task);
  }

  /** The exclusive time passed without a claim. */
  lapsed(task: RoutedTask): void {
    this.closed(task);
    task.barred.add(task.routedTo!);
    task.routedTo = undefined;
    this.#put(task);
  }

  #wake(agent: number): void {
    const offer = this.offers.get(agent)!;
    for (const name of [...offer.categories.map((c) => `c ${c}`), ...offer.tags.map((t) => `t ${t}`)]) {
      const known = this.#wakes.find((w) => w.name === name);
      if (known !== undefined) known.again = true;
      else if (this.#under(name).length > 0)
        this.#wakes.push({ name, reached: 0, end: this.#number, again: false });
    }
  }

  #under(name: string): Place[] {
    const word = name.slice(2);
    return this.#places.filter(
      (p) =>
        p.agent === undefined &&
        (name.startsWith('c') ? p.task.category === word : p.task.tags.includes(word)),
    );
  }

  register(agent: number, offer: Omit<Offer, 'available'>): void {
    this.offers.set(agent, { ...offer, available: true });
    this.#wake(agent);
    this.steps(this.commandSteps);
  }

  /** False when the agent has no capability. */
  remove(agent: number): boolean {
    if (!this.offers.delete(agent)) return false;
    const known = this.#clearings.find((c) => c.agent === agent);
    if (known !== undefined) known.to = this.#number;
    else this.#clearings.push({ agent, to: this.#number });
    this.steps(this.commandSteps);
    return true;
  }

  /** False when the agent has no capability. */
  setAvailable(agent: number, available: boolean): boolean {
    const offer = this.offers.get(agent);
    if (offer === undefined) return false;
    const becomes = available && !offer.available;
    offer.available = available;
    if (becomes) this.#wake(agent);
    this.steps(this.commandSteps);
    return true;
  }

  #clearOne(): void {
    const first = this.#clearings[0]!;
    const place = this.#places.find((p) => p.agent === first.agent && p.number <= first.to);
    if (place === undefined) {
      this.#clearings.shift();
      return;
    }
    this.closed(place.task);
    place.task.routedTo = undefined;
    this.#put(place.task);
  }

  #lookAtOne(): void {
    const first = this.#wakes[0]!;
    const place = this.#under(first.name).find((p) => p.number > first.reached && p.number <= first.end);
    if (place === undefined) {
      this.#wakes.shift();
      if (first.again) this.#wakes.push({ ...first, reached: 0, end: this.#number, again: false });
      return;
    }
    first.reached = place.number;
    if (!this.#route(place.task)) return;
    this.closed(place.task);
    this.#put(place.task);
  }

  steps(most: number): void {
    for (let step = 0; step < most; step++) {
      if (this.#clearings.length > 0) this.#clearOne();
      else if (this.#wakes.length > 0) this.#lookAtOne();
      else return;
    }
  }

  /** A vertex opens. */
  vertex(): void {
    this.steps(VERTEX_STEPS);
  }
}
