// The consensus oracle: the door of host/core/consensus.ts over the naive model, one instance an epoch.
// Keeps: slow and obvious; it shares no code with the core. Every decision is computed anew from the
// whole view whenever the view has changed.

import type {
  DagVertex,
  EpochConfig,
  Explained,
  InsertResult,
  OrderedBlock,
  Preview,
  SlotStatus,
} from '../../../host/core/consensus.ts';
import { compareBytes, toHex, utf8 } from '../../../host/wire/bytes.ts';
import { creatorsOf, ModelDag, type ModelVertex, witnessesIn } from './dag.ts';
import { Election, type Slot } from './election.ts';
import { leaderTimeMs, Ordering } from './ordering.ts';
import { type Rules, SOUND } from './rules.ts';

export class Oracle {
  readonly dag: ModelDag;
  readonly election: Election;
  private readonly ordering: Ordering;
  /** Slots that were passed over or became blocks. */
  private taken = 0;
  private slotsNow: Slot[][] | undefined;

  constructor(config: EpochConfig, rules: Rules = SOUND) {
    this.dag = new ModelDag(config, rules);
    this.election = new Election(this.dag);
    this.ordering = new Ordering(this.dag);
  }

  insert(vertices: readonly DagVertex[]): InsertResult[] {
    this.slotsNow = undefined;
    return vertices.map((vertex) => this.dag.insert(vertex));
  }

  slots(): readonly (readonly Slot[])[] {
    this.slotsNow ??= this.election.slots();
    return this.slotsNow;
  }

  nextBlock(): OrderedBlock | undefined {
    const slots = this.slots().flat();
    for (let slot = slots[this.taken]; slot && slot.status !== 'undecided'; slot = slots[this.taken]) {
      this.taken += 1;
      // A leader that another one of its round has in its past was ordered with that one.
      if (slot.status === 'commit' && !this.ordering.blockOf.has(slot.leader)) {
        return this.ordering.block(slot.leader);
      }
    }
    return undefined;
  }

  preview(creator: number, parents: readonly Uint8Array[], timeMs: number): Preview {
    const known = parents.map((id) => this.dag.vertices.get(toHex(id))!);
    const self = known[0]?.creator === creator ? known[0] : undefined;
    const next = this.dag.evaluate(creator, self, known);
    const named = creatorsOf(witnessesIn(next.past, next.round));
    if (next.isWitness) named.add(creator);
    const before =
      self?.round === next.round ? creatorsOf(witnessesIn(self.past, next.round)) : new Set<number>();
    return {
      round: next.round,
      isWitness: next.isWitness,
      newWitnessCreators: [...named].filter((seat) => !before.has(seat)).sort((a, b) => a - b),
      timeMs: leaderTimeMs(this.dag, next, timeMs, this.ordering.timeMs),
      isRefusedByRun: next.run > this.dag.rules.maxRun,
    };
  }

  explain(id: Uint8Array): Explained | undefined {
    const vertex = this.dag.vertices.get(toHex(id));
    if (!vertex) return undefined;
    const block = this.ordering.blockOf.get(vertex);
    return {
      round: vertex.round,
      isWitness: vertex.isWitness,
      isOrdered: block !== undefined,
      isVoid: this.ordering.isVoid.has(vertex),
      block: block ?? 0,
    };
  }

  slotStatus(round: number, place: number): SlotStatus {
    return this.slots()[round]?.[place]?.status ?? 'undecided';
  }

  leadersOf(round: number): number[] {
    return this.election.leadersOf(round);
  }

  maxRound(): number {
    return this.dag.maxRound;
  }

  quorumWitnesses(round: number): boolean {
    return this.dag.weights.isQuorum(creatorsOf(this.dag.witnesses(round)));
  }

  /** For each seat the rounds in which its witness came in time (consensus 5.11, "Late seats"). */
  timely(): number[] {
    const isOrdered = (vertex: ModelVertex): boolean => this.ordering.blockOf.has(vertex);
    return this.dag.config.seats.map((_, seat) => {
      let rounds = 0;
      for (let round = 1; round < this.dag.maxRound; round++) {
        const above = this.dag.witnesses(round + 1).filter(isOrdered);
        const speaking = above.filter((w) => above.every((x) => x === w || x.creator !== w.creator));
        const had = speaking.filter((w) => creatorsOf(witnessesIn(w.past, round)).has(seat));
        if (this.dag.weights.isQuorum(creatorsOf(had))) rounds += 1;
      }
      return rounds;
    });
  }

  /** Equal vertices and equally many blocks taken give equal bytes: vertices by lamport, then id. */
  snapshot(): Uint8Array {
    const vertices = [...this.dag.vertices.values()]
      .map((vertex) => vertex.source)
      .sort((a, b) => a.lamport - b.lamport || compareBytes(a.id, b.id))
      .map((v) => ({ ...v, id: toHex(v.id), parents: v.parents.map(toHex) }));
    const { config } = this.dag;
    const seats = config.seats.map((seat) => [toHex(seat.key), seat.weight.toString(), seat.isLate ?? false]);
    const epochId = toHex(config.epochId);
    const blocks = this.ordering.blockCount;
    return utf8(JSON.stringify({ ...config, seats, epochId, vertices, blocks }));
  }

  static restore(bytes: Uint8Array, rules: Rules = SOUND): Oracle {
    const image = JSON.parse(new TextDecoder().decode(bytes));
    const seats = image.seats.map(([key, weight, isLate]: [string, string, boolean]) => ({
      key: Buffer.from(key, 'hex'),
      weight: BigInt(weight),
      isLate,
    }));
    const epochId = new Uint8Array(Buffer.from(image.epochId, 'hex'));
    const oracle = new Oracle({ ...image, seats, epochId }, rules);
    const unhex = (text: string): Uint8Array => new Uint8Array(Buffer.from(text, 'hex'));
    for (const v of image.vertices) {
      oracle.dag.insert({ ...v, id: unhex(v.id), parents: v.parents.map(unhex) });
    }
    for (let i = 0; i < image.blocks; i++) oracle.nextBlock();
    return oracle;
  }

  vertex(id: Uint8Array): ModelVertex | undefined {
    return this.dag.vertices.get(toHex(id));
  }
}
