// The votes for a leader, read off the references of the vertices as every node reads them (consensus 5.5): who votes, who
// certifies, and whether these are a quorum.
// Keeps: nothing is taken from the node but the vertices, their rounds and the weights of the seats; of what is not in the
// list it claims nothing. The decisions are the core's: test/host/web/dag-votes.test.ts compares both.

import type { Vertex } from '../../client/index.ts';

type Node = Pick<Vertex, 'author' | 'epoch' | 'hash' | 'parents' | 'round'>;

export interface Seating {
  /** Weight of a consensus key; 0 for one without a seat. */
  weightOf(author: string): bigint;
  total: bigint;
  minParticipants: number;
}

/** Votes at one distance: near ones are of the round above the leader, far ones of the round above that. */
export interface Support {
  distance: 1 | 2;
  /** Hashes of witnesses. */
  voters: string[];
  certifiers: string[];
  /** The certifiers are a quorum: the leader is committed. */
  isQuorum: boolean;
}

export interface Votes {
  leader: Node;
  near: Support;
  far: Support;
}

/** 66.7 % of the weight, and enough seats that have some (consensus 5.9, 5.10). */
export function isQuorum({ weightOf, total, minParticipants }: Seating, authors: Iterable<string>): boolean {
  const weights = [...new Set(authors)].map(weightOf).filter((weight) => weight > 0n);
  const sum = weights.reduce((all, weight) => all + weight, 0n);
  return weights.length >= minParticipants && total > 0n && 1000n * sum >= 667n * total;
}

/** Vertices of one epoch, with what follows from their references. */
class Epoch<V extends Node> {
  readonly #known: Map<string, V>;
  readonly #pasts = new Map<string, Set<V>>();
  readonly #byRound = new Map<number, V[]>();

  constructor(vertices: readonly V[]) {
    this.#known = new Map(vertices.map((vertex) => [vertex.hash, vertex]));
    for (const vertex of vertices) {
      if (!this.isWitness(vertex)) continue;
      this.#byRound.set(vertex.round, [...(this.#byRound.get(vertex.round) ?? []), vertex]);
    }
  }

  get(hash: string): V | undefined {
    return this.#known.get(hash);
  }

  /** The first vertex of its seat in its round. One whose own previous vertex is not in the list is taken for none. */
  isWitness({ author, round, parents }: V): boolean {
    const known = parents.map((hash) => this.#known.get(hash));
    const own = known.find((parent) => parent?.author === author);
    return own ? round > own.round : !known.includes(undefined);
  }

  witnesses(round: number): readonly V[] {
    return this.#byRound.get(round) ?? [];
  }

  /** Everything below a vertex, itself included. */
  past(vertex: V): ReadonlySet<V> {
    const known = this.#pasts.get(vertex.hash);
    if (known) return known;
    const past = new Set<V>();
    for (const open = [vertex]; open.length > 0; ) {
      const next = open.pop()!;
      if (past.has(next)) continue;
      past.add(next);
      open.push(...next.parents.flatMap((hash) => this.#known.get(hash) ?? []));
    }
    this.#pasts.set(vertex.hash, past);
    return past;
  }
}

/** Votes for a vertex as the leader of its round; undefined where it is not in the list or not a witness. */
export function votesFor<V extends Node>(
  vertices: readonly V[],
  hash: string,
  seating: Seating,
): Votes | undefined {
  const found = vertices.find((vertex) => vertex.hash === hash);
  if (!found) return undefined;
  const epoch = new Epoch(vertices.filter((vertex) => vertex.epoch === found.epoch));
  const { author, round } = found;
  const support = (distance: 1 | 2): Support => {
    const voters = epoch.witnesses(round + distance).filter((voter) => {
      const seen = [...epoch.past(voter)].filter(
        // Only witnesses lead, also where what is below them is not in the list.
        (v) => v === found || (v.round === round && v.author === author && epoch.isWitness(v)),
      );
      return seen.length === 1 && seen[0] === found;
    });
    const certifiers = epoch.witnesses(round + distance + 1).filter((certifier) => {
      const past = epoch.past(certifier);
      const inPast = voters.filter((voter) => past.has(voter));
      return isQuorum(
        seating,
        inPast.map((voter) => voter.author),
      );
    });
    return {
      distance,
      voters: voters.map((voter) => voter.hash),
      certifiers: certifiers.map((certifier) => certifier.hash),
      isQuorum: isQuorum(
        seating,
        certifiers.map((certifier) => certifier.author),
      ),
    };
  };
  return { leader: found, near: support(1), far: support(2) };
}

/** The vertices between one and a leader above it: a path of references from the leader down to it, the shortest. */
export function pathDown<V extends Node>(vertices: readonly V[], from: string, to: string): string[] {
  const known = new Map(vertices.map((vertex) => [vertex.hash, vertex]));
  const above = new Map<string, string | undefined>([[from, undefined]]);
  for (const hash of above.keys()) {
    if (hash === to) break;
    for (const parent of known.get(hash)?.parents ?? [])
      if (!above.has(parent) && known.has(parent)) above.set(parent, hash);
  }
  if (!above.has(to)) return [];
  const path: string[] = [];
  for (let at: string | undefined = to; at !== undefined; at = above.get(at)) path.push(at);
  return path.reverse();
}

/** Vertices that one seat signed with one number: a fork, which proves itself. */
export function forksOf<V extends Node & Pick<Vertex, 'seq'>>(vertices: readonly V[]): V[][] {
  const same = new Map<string, V[]>();
  for (const vertex of vertices) {
    const name = `${vertex.epoch} ${vertex.author} ${vertex.seq}`;
    same.set(name, [...(same.get(name) ?? []), vertex]);
  }
  return [...same.values()].filter((branches) => branches.length > 1);
}
