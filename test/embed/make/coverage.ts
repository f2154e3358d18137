// What vectors of core.wasm come across: operations that succeed, system events, refusals. And the choice of worlds by it.
// Keeps: the choice depends on what the worlds do, not on numbers noted once, so it outlives a change of the generator.

import * as abi from '../../../assembly/abi.ts';
import { decodeOutcomes } from '../../core/driver.ts';
import { openDoor } from '../js/doors.mjs';
import { readModule, sha256 } from './recorder.ts';

const numbers = (prefix: string): number[] =>
  Object.entries(abi).flatMap(([name, value]) => (name.startsWith(prefix) ? [Number(value)] : []));

/**
 * Every operation, with success, and every system event. An applicant passes probation after 50 drawn votes, which no world
 * has: an objection with success is in test/core/objections.test.ts.
 */
const ELSEWHERE: readonly number[] = [abi.OP_VALIDATOR_OBJECT];

export const REQUIRED: readonly string[] = [
  ...numbers('OP_')
    .filter((opcode) => opcode >= abi.OP_REGISTER && !ELSEWHERE.includes(opcode))
    .map((opcode) => `op ${opcode}`),
  ...numbers('EVENT_').map((type) => `event ${type}`),
];

/** Lines of core.wasm played once more; what their outcomes tell. */
export function metBy(section: string): Set<string> {
  const met = new Set<string>();
  let isApply = false;
  const door = openDoor('core.wasm', readModule('core.wasm'), (bytes) => {
    for (const outcome of isApply ? decodeOutcomes(bytes) : []) {
      if (outcome.kind === 'event') met.add(`event ${outcome.type}`);
      else if (outcome.kind !== 'tx') met.add(outcome.kind);
      else met.add(outcome.code === abi.OK ? `op ${outcome.opcode}` : `code ${outcome.code}`);
    }
    return sha256(bytes);
  });
  for (const line of section.split('\n').filter((text) => text.includes(' = '))) {
    const [verb, ...args] = line.split(' = ')[0]!.split(' ');
    isApply = verb === 'apply';
    door.answer(verb!, args);
  }
  return met;
}

/** So many seeds below `most`, each the one that adds most: first of what is required, then of anything. */
export function chooseSeeds(count: number, most: number, play: (seed: number) => string): number[] {
  const worlds = Array.from({ length: most - 1 }, (_, i) => ({ seed: i + 1, met: metBy(play(i + 1)) }));
  const met = new Set<string>();
  const gain = (world: Set<string>): number =>
    [...world].reduce((sum, what) => sum + (met.has(what) ? 0 : REQUIRED.includes(what) ? 100 : 1), 0);
  const chosen: number[] = [];
  while (chosen.length < count) {
    const best = worlds.reduce((a, b) => (gain(b.met) > gain(a.met) ? b : a));
    for (const what of best.met) met.add(what);
    chosen.push(best.seed);
  }
  return chosen;
}
