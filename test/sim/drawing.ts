// DAGs drawn by hand: a vertex by name, its parents by name.

import type { DagVertex, EpochConfig } from '../../host/core/consensus.ts';
import { utf8 } from '../../host/wire/bytes.ts';
import { sha256 } from '../../host/wire/hash.ts';
import { leaderSeed, leadersOf } from '../model/consensus/election.ts';
import { dagVertexId, sortParents } from '../model/consensus/random-dag.ts';

export const BASE_MS = 1_800_000_000_000;

export function equalSeats(count: number, epoch = 0, minParticipants = 1): EpochConfig {
  return {
    seats: Array.from({ length: count }, (_, i) => ({ key: sha256(utf8(`seat ${i}`)), weight: 100n })),
    minParticipants,
    leaders: 1,
    epochId: sha256(utf8(`drawing ${epoch}`)),
    previousTimeMs: 0,
  };
}

/** Equal seats whose schedule begins as wished: leaders[i] leads round i + 1, undefined = whoever. */
export function seatsLedBy(count: number, leaders: readonly (number | undefined)[]): EpochConfig {
  for (let epoch = 0; ; epoch++) {
    const config = equalSeats(count, epoch);
    const seed = leaderSeed(config.epochId);
    const weights = config.seats.map((seat) => seat.weight);
    const fits = leaders.every(
      (leader, i) => leader === undefined || leadersOf(seed, weights, i + 1, 1)[0] === leader,
    );
    if (fits) return config;
  }
}

export class Drawing {
  readonly vertices: DagVertex[] = [];
  private readonly byName = new Map<string, DagVertex>();
  private readonly heads = new Map<string, DagVertex>();

  constructor(readonly config: EpochConfig) {}

  /**
   * A vertex of `creator` over its newest one and the named others. `branch` keeps a second chain of
   * one creator; `timeMs` is its clock.
   */
  add(
    name: string,
    creator: number,
    others: readonly string[],
    timeMs = BASE_MS + 10 * this.vertices.length,
    branch = 0,
  ): DagVertex {
    const chain = `${creator}/${branch}`;
    const self = this.heads.get(chain);
    const parents = others.map((other) => this.get(other)).filter((vertex) => vertex.creator !== creator);
    const fields = {
      creator,
      seq: (self?.seq ?? 0) + 1,
      lamport: 1 + Math.max(0, self?.lamport ?? 0, ...parents.map((parent) => parent.lamport)),
      timeMs: Math.max(timeMs, self?.timeMs ?? 0),
      work: true,
      parents: sortParents(
        self?.id,
        parents.map((parent) => parent.id),
      ),
    };
    const vertex = { id: dagVertexId(this.config.epochId, fields, this.vertices.length), ...fields };
    this.vertices.push(vertex);
    this.byName.set(name, vertex);
    this.heads.set(chain, vertex);
    return vertex;
  }

  get(name: string): DagVertex {
    const vertex = this.byName.get(name);
    if (!vertex) throw new Error(`nothing is drawn as ${name}`);
    return vertex;
  }

  /** Everything below these, in the order of drawing. */
  view(...names: readonly string[]): DagVertex[] {
    const ids = new Map(this.vertices.map((vertex) => [Buffer.from(vertex.id).toString('hex'), vertex]));
    const taken = new Set<DagVertex>();
    const open = names.map((name) => this.get(name));
    for (let next = open.pop(); next; next = open.pop()) {
      if (taken.has(next)) continue;
      taken.add(next);
      for (const id of next.parents) open.push(ids.get(Buffer.from(id).toString('hex'))!);
    }
    return this.vertices.filter((vertex) => taken.has(vertex));
  }
}
