// A block of more vertices than one part of the module's answer holds, and what a block contains about its vertices.

import { expect, test } from 'vitest';
import * as abi from '../../../assembly/consensus/abi.ts';
import { Consensus, type DagVertex } from '../../../host/core/consensus.ts';
import { compareBytes, concat, toHex } from '../../../host/wire/bytes.ts';
import { Drawing, equalSeats } from '../../sim/drawing.ts';
import { module } from './drawn-dag.ts';

const HEAVY = 4;
const LIGHT = 150;
const CHAIN = 60;

/**
 * Four seats that vote, and many without weight, each with a chain of its own. One of these takes the chains' heads
 * in, 30 at a time, and then a voter takes its head: all that becomes part of one block.
 */
function drawn(): { drawing: Drawing; config: ReturnType<typeof equalSeats>; all: DagVertex[] } {
  const base = equalSeats(HEAVY + LIGHT);
  const seats = base.seats.map((seat, i) => ({ ...seat, weight: i < HEAVY ? 100n : 0n }));
  const config = { ...base, seats, maxVertices: 20_000 };
  const drawing = new Drawing(config);
  for (let step = 0; step < CHAIN; step++) {
    for (let seat = HEAVY; seat < HEAVY + LIGHT; seat++) drawing.add(`light ${seat} ${step}`, seat, []);
  }
  const heads = Array.from({ length: LIGHT - 1 }, (_, i) => `light ${HEAVY + 1 + i} ${CHAIN - 1}`);
  for (let at = 0; at < heads.length; at += 30) drawing.add('merged', HEAVY, heads.slice(at, at + 30));
  for (let round = 1; round <= 12; round++) {
    for (let seat = 0; seat < HEAVY; seat++) {
      const others = Array.from({ length: HEAVY }, (_, other) => `${round - 1} ${other}`);
      drawing.add(`${round} ${seat}`, seat, round === 1 ? ['merged'] : others);
    }
  }
  return { drawing, config, all: drawing.vertices };
}

test('a block of several parts is whole, parents first, and tells of each vertex the same every way', () => {
  const { config, all } = drawn();
  const core = Consensus.create(module, config);
  expect(new Set(core.insert(all))).toEqual(new Set(['inserted']));
  const block = core.nextBlock()!;
  // Whoever leads took the whole of the light seats' past.
  expect(block.vertexCount).toBeGreaterThan(abi.PART_VERTICES);
  expect(block.vertexCount).toBeGreaterThanOrEqual(LIGHT * CHAIN);

  const byId = new Map(all.map((vertex) => [toHex(vertex.id), vertex]));
  const places = new Map<string, number>();
  for (let place = 0; place < block.vertexCount; place++) {
    const id = toHex(block.idAt(place));
    expect(places.has(id)).toBe(false);
    places.set(id, place);
    const vertex = byId.get(id)!;
    expect(block.creatorAt(place)).toBe(vertex.creator);
    for (const parent of vertex.parents) expect(places.has(toHex(parent))).toBe(true);
  }
  expect(compareBytes(block.ids(), concat(...block.vertices.map((vertex) => vertex.id)))).toBe(0);
  expect(block.vertices.map((vertex) => vertex.creator)).toEqual(
    block.vertices.map((_, place) => block.creatorAt(place)),
  );
  expect(block.vertices.some((vertex) => vertex.isVoid)).toBe(false);
  expect([...places.keys()].at(-1)).toBe(toHex(block.leader));
});

test('a block stays what it was, whatever comes after it', () => {
  const { config, all } = drawn();
  const core = Consensus.create(module, config);
  core.insert(all);
  const first = core.nextBlock()!;
  const told = (): string => toHex(first.ids()) + toHex(first.leader) + first.leaderRound + first.timeMs;
  const before = told();
  let blocks = 0;
  while (core.nextBlock()) blocks += 1;
  core.snapshot();
  expect(blocks).toBeGreaterThan(3);
  expect(told()).toBe(before);
  expect(first.vertices).toHaveLength(first.vertexCount);
});
