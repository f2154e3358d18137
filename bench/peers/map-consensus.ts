// The same virtual voting in straightforward JavaScript: a Map by id, objects, BigInt masks, Sets.
// Keeps: the rules of consensus 5.3 to 5.8 and therefore the same blocks; seats of equal weight only.
// Validity is not checked here: benchmarks feed valid vertices.

import type { DagVertex } from '../../host/core/consensus.ts';
import { compareBytes } from '../../host/wire/bytes.ts';

interface Node {
  source: DagVertex;
  parents: Node[];
  self: Node | undefined;
  round: number;
  masks: [bigint, bigint, bigint];
  bit: number;
  isOrdered: boolean;
  depth: number;
}

/** What speaks for a candidate at one vote distance. */
interface Support {
  votes: bigint;
  certificates: bigint;
  certifiers: Set<number>;
}

interface Candidate {
  node: Node;
  /** At vote distances 1 and 2. */
  support: readonly [Support, Support];
}

interface Slot {
  leader: number;
  status: 'undecided' | 'commit' | 'skip';
  chosen: Node | undefined;
  blame: Set<number>;
  candidates: Candidate[];
}

interface Round {
  witnesses: Node[];
  slots: Slot[];
}

export interface MapBlock {
  leader: Uint8Array;
  timeMs: number;
  vertices: { id: Uint8Array; isVoid: boolean }[];
}

const newSlot = (leader: number): Slot => ({
  leader,
  status: 'undecided',
  chosen: undefined,
  blame: new Set(),
  candidates: [],
});

const isOpen = ({ status }: Slot): boolean => status === 'undecided';

const newSupport = (): Support => ({ votes: 0n, certificates: 0n, certifiers: new Set() });

export class MapConsensus {
  private readonly nodes = new Map<string, Node>();
  private readonly rounds: Round[] = [];
  private readonly heads = new Map<number, Node>();
  private readonly quorum: number;
  private undecided = 1;
  private next = 1;
  private nextPlace = 0;
  private timeMs: number;

  constructor(
    seats: number,
    private readonly leadersOf: (round: number) => readonly number[],
    previousTimeMs: number,
  ) {
    this.quorum = Math.ceil((667 * seats) / 1000);
    this.timeMs = previousTimeMs;
  }

  /** `id` and `parents` as hexadecimal text, `source`: their vertex. */
  insert(source: DagVertex, id: string, parents: readonly string[]): void {
    const found = parents.map((parent) => this.nodes.get(parent)!);
    const self = source.seq > 1 ? found[0] : undefined;
    const node: Node = {
      source,
      parents: found,
      self,
      round: 1,
      masks: [0n, 0n, 0n],
      bit: -1,
      isOrdered: false,
      depth: 0,
    };
    this.nodes.set(id, node);
    let top = 0;
    for (const parent of found) top = Math.max(top, parent.round);
    for (const parent of found) {
      for (let k = top - parent.round, j = 0; k < 3; k++, j++) node.masks[k]! |= parent.masks[j]!;
    }
    if (top > 0) {
      const isAdvance = this.creatorsOf(node.masks[0], top).size >= this.quorum;
      node.round = top + (isAdvance ? 1 : 0);
      if (isAdvance) node.masks = [0n, node.masks[0], node.masks[1]];
    }
    if (!self || node.round > self.round) this.addWitness(node);
  }

  private *witnessesIn(mask: bigint, round: number): Generator<Node> {
    const { witnesses } = this.rounds[round]!;
    for (let bit = 0; mask !== 0n; bit++, mask >>= 1n) if (mask & 1n) yield witnesses[bit]!;
  }

  private creatorsOf(mask: bigint, round: number): Set<number> {
    const creators = new Set<number>();
    for (const witness of this.witnessesIn(mask, round)) creators.add(witness.source.creator);
    return creators;
  }

  private addWitness(node: Node): void {
    this.rounds[node.round] ??= { witnesses: [], slots: this.leadersOf(node.round).map(newSlot) };
    const round = this.rounds[node.round]!;
    node.bit = round.witnesses.push(node) - 1;
    node.masks[0] |= 1n << BigInt(node.bit);
    let isChanged = false;
    const led = round.slots.find(({ leader }) => leader === node.source.creator);
    if (led && isOpen(led)) {
      led.candidates.push({ node, support: [newSupport(), newSupport()] });
      // A leader that is a quorum alone needs nobody's vote.
      if (this.quorum === 1) {
        led.status = 'commit';
        led.chosen = node;
        isChanged = true;
      }
    }
    for (const distance of [1, 2] as const) {
      for (const slot of this.openSlots(node.round - distance))
        isChanged = this.vote(node, slot, distance) || isChanged;
      for (const slot of this.openSlots(node.round - distance - 1))
        isChanged = this.certify(node, slot, distance) || isChanged;
    }
    if (isChanged) this.decide();
  }

  private openSlots(round: number): readonly Slot[] {
    return this.rounds[round]?.slots.filter(isOpen) ?? [];
  }

  private vote(node: Node, slot: Slot, distance: 1 | 2): boolean {
    const seen = slot.candidates.filter((c) => (node.masks[distance] >> BigInt(c.node.bit)) & 1n);
    if (seen.length === 1) seen[0]!.support[distance - 1]!.votes |= 1n << BigInt(node.bit);
    if (seen.length > 0 || distance === 1) return false;
    slot.blame.add(node.source.creator);
    if (slot.blame.size < this.quorum) return false;
    slot.status = 'skip';
    return true;
  }

  private certify(node: Node, slot: Slot, distance: 1 | 2): boolean {
    for (const candidate of slot.candidates) {
      const support = candidate.support[distance - 1]!;
      const shared = node.masks[1] & support.votes;
      if (this.creatorsOf(shared, node.round - 1).size < this.quorum) continue;
      support.certificates |= 1n << BigInt(node.bit);
      support.certifiers.add(node.source.creator);
      if (support.certifiers.size < this.quorum) continue;
      slot.status = 'commit';
      slot.chosen = candidate.node;
      return true;
    }
    return false;
  }

  /** Witnesses of the round below in the past of those in a mask. */
  private below(mask: bigint, round: number): bigint {
    let below = 0n;
    for (const witness of this.witnessesIn(mask, round)) below |= witness.masks[1];
    return below;
  }

  private decide(): void {
    for (let r = this.rounds.length - 5; r >= this.undecided; r--) {
      const open = this.openSlots(r);
      if (open.length === 0) continue;
      let q = r + 4;
      const notSkipped = (): Slot | undefined =>
        this.rounds[q]?.slots.find(({ status }) => status !== 'skip');
      while (this.rounds[q] && !notSkipped()) q++;
      const anchor = notSkipped()?.chosen;
      if (!anchor) continue;
      let reach = anchor.masks[1];
      for (let t = q - 1; t >= r + 4; t--) reach = this.below(reach, t);
      const near = this.below(reach, r + 3);
      for (const slot of open) {
        slot.chosen = slot.candidates.find(
          ({ support }) =>
            (support[1].certificates & reach) !== 0n || (support[0].certificates & near) !== 0n,
        )?.node;
        slot.status = slot.chosen ? 'commit' : 'skip';
      }
    }
    while (this.rounds[this.undecided] && this.openSlots(this.undecided).length === 0) this.undecided++;
  }

  private nextLeader(): Node | undefined {
    for (let round = this.rounds[this.next]; round; round = this.rounds[this.next]) {
      const slot = round.slots[this.nextPlace]!;
      if (isOpen(slot)) return undefined;
      if (++this.nextPlace === round.slots.length) {
        this.next++;
        this.nextPlace = 0;
      }
      // A leader below another one of its round was ordered with that one.
      if (slot.chosen && !slot.chosen.isOrdered) return slot.chosen;
    }
    return undefined;
  }

  nextBlock(): MapBlock | undefined {
    const leader = this.nextLeader();
    if (!leader) return undefined;
    this.timeMs = Math.max(this.timeMs, this.leaderTimeMs(leader));
    const collected = this.collect(leader);
    const salted = collected.map((node) => ({
      node,
      key: node.source.id.map((b, i) => b ^ leader.source.id[i]!),
    }));
    salted.sort((a, b) => a.node.depth - b.node.depth || compareBytes(a.key, b.key));
    const vertices = salted.map(({ node }) => {
      const isVoid = node.self !== this.heads.get(node.source.creator);
      if (!isVoid) this.heads.set(node.source.creator, node);
      return { id: node.source.id, isVoid };
    });
    return { leader: leader.source.id, timeMs: this.timeMs, vertices };
  }

  private collect(leader: Node): Node[] {
    const collected: Node[] = [];
    const stack: { node: Node; place: number }[] = [{ node: leader, place: 0 }];
    const entered = new Set([leader]);
    for (let top = stack.at(-1); top; top = stack.at(-1)) {
      const parent = top.node.parents[top.place];
      if (!parent) {
        collected.push(top.node);
        top.node.isOrdered = true;
        stack.pop();
      } else if (entered.has(parent)) {
        top.node.depth = Math.max(top.node.depth, parent.depth + 1);
        top.place++;
      } else if (parent.isOrdered) {
        top.place++;
      } else {
        entered.add(parent);
        stack.push({ node: parent, place: 0 });
      }
    }
    return collected;
  }

  private leaderTimeMs(leader: Node): number {
    if (leader.round === 1) return this.timeMs;
    const voices = new Map<number, Node[]>();
    for (const witness of this.witnessesIn(leader.masks[1], leader.round - 1)) {
      const { creator } = witness.source;
      voices.set(creator, [...(voices.get(creator) ?? []), witness]);
    }
    voices.set(leader.source.creator, [leader]);
    const clocks = [...voices.values()].filter((of) => of.length === 1).map((of) => of[0]!.source.timeMs);
    clocks.sort((a, b) => a - b);
    return clocks[Math.ceil(clocks.length / 2) - 1]!;
  }
}
