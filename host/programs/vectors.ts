// The check `vectors`, which the runner does itself: the delivery is a program in base64, run on inputs whose outputs are known,
// or are those of a reference program (protocol 14.11).
// Keeps: all runs of one check share its fuel; drawn inputs depend on the seed alone.

import { fromBase64 } from '../wire/base64.ts';
import { concat, equalBytes, fromHex, fromUtf8 } from '../wire/bytes.ts';
import { sha256 } from '../wire/hash.ts';
import { type CheckSteps, type Ended, outcomeOf } from './check-steps.ts';
import { ProgramFault } from './fault.ts';
import type { ProgramJob } from './job-codec.ts';
import {
  MAX_OUTPUT_BYTES,
  memoryWeight,
  VECTOR_INPUT_FUEL,
  VECTOR_OUTPUT_SHIFT,
  VECTOR_PAGE_FUEL,
  VECTOR_RUN_FUEL,
} from './limits.ts';
import { memoryPagesOf } from './module.ts';

/** The name of the check in a contract. */
export const VECTORS = 'vectors';
const MAX_VECTORS = 64;
const MAX_DRAWN_BYTES = 4_096;

interface Listed {
  vectors: { input: Uint8Array; output: Uint8Array }[];
}
interface Drawn {
  /** Hash of the program that gives the outputs. */
  reference: string;
  draws: number;
  bytes: number;
}
export type VectorParameters = Listed | Drawn;

const isCount = (value: unknown, min: number, max: number): value is number =>
  Number.isInteger(value) && (value as number) >= min && (value as number) <= max;

const bytesOf = (value: unknown): Uint8Array | undefined =>
  typeof value === 'string' && /^(?:[0-9a-f]{2})*$/.test(value) ? fromHex(value) : undefined;

function readListed(list: unknown): Listed | undefined {
  if (!Array.isArray(list) || !isCount(list.length, 1, MAX_VECTORS)) return undefined;
  const vectors = list.flatMap((one: unknown) => {
    if (typeof one !== 'object' || one === null || Object.keys(one).sort().join() !== 'input,output')
      return [];
    const { input, output } = one as Record<string, unknown>;
    const [given, wanted] = [bytesOf(input), bytesOf(output)];
    return given && wanted ? [{ input: given, output: wanted }] : [];
  });
  return vectors.length === list.length ? { vectors } : undefined;
}

/** The parameters of the check; undefined for anything else. */
export function readVectors(parameters: Readonly<Record<string, unknown>>): VectorParameters | undefined {
  const names = Object.keys(parameters).sort().join();
  if (names === 'vectors') return readListed(parameters.vectors);
  if (names !== 'bytes,draws,reference') return undefined;
  const { reference, draws, bytes } = parameters;
  if (typeof reference !== 'string' || !/^[0-9a-f]{64}$/.test(reference)) return undefined;
  if (!isCount(draws, 1, MAX_VECTORS) || !isCount(bytes, 0, MAX_DRAWN_BYTES)) return undefined;
  return { reference, draws, bytes };
}

function u32(value: number): Uint8Array {
  const bytes = new Uint8Array(4);
  new DataView(bytes.buffer).setUint32(0, value, true);
  return bytes;
}

/** Input `index` of a drawn check: hashes of seed, index and position, one after the other. */
export function drawnInput(seed: Uint8Array, index: number, length: number): Uint8Array {
  const parts = Array.from({ length: Math.ceil(length / 32) }, (_, i) => sha256(seed, u32(index), u32(i)));
  return concat(...parts).subarray(0, length);
}

/** A module to be run, and what a unit of its fuel counts for. */
interface Weighed {
  module: Uint8Array;
  weight: number;
}

function weighed(module: Uint8Array): Weighed {
  try {
    return { module, weight: memoryWeight(memoryPagesOf(module)) };
  } catch (error) {
    // It is no program: whoever runs it says so.
    if (error instanceof ProgramFault) return { module, weight: 1 };
    throw error;
  }
}

/**
 * What remains of the fuel of a check, over all its runs. The base fuel of a check is for one instance, and a contract counts for
 * the memory of the programs that it names; here a delivery decides how dear each of up to 128 runs is, so that each is paid for.
 */
class Fuel {
  used = 0;

  constructor(private readonly most: number) {}

  job({ module, weight }: Weighed, input: Uint8Array): ProgramJob {
    const fuel = Math.floor((this.most - this.used) / weight);
    return { program: module, input, limits: { fuel, outputBytes: MAX_OUTPUT_BYTES } };
  }
  /** Takes what a run of a module has cost; false if there was less, and all is used. */
  take(ended: Ended, { module, weight }: Weighed, input: Uint8Array): boolean {
    if (ended instanceof ProgramFault) return true;
    const { fuel, memoryPages, output } = ended;
    const instance = VECTOR_RUN_FUEL + module.length + VECTOR_PAGE_FUEL * memoryPages;
    const bytes = VECTOR_INPUT_FUEL * input.length + (output.length >> VECTOR_OUTPUT_SHIFT);
    const used = this.used + fuel * weight + instance + bytes;
    this.used = Math.min(used, this.most);
    return used <= this.most;
  }
}

/** `delivery`, `seed`: of the check's input; `reference`: the module that a drawn check names. */
export function* vectorSteps(
  parameters: VectorParameters,
  most: number,
  { delivery, seed }: { delivery: Uint8Array; seed: Uint8Array },
  reference: Uint8Array | undefined,
): CheckSteps {
  const module = fromBase64(fromUtf8(delivery) ?? '');
  if (!module || module.length === 0) return outcomeOf('fail', 'the delivery is not a module in base64', 0);
  const program = weighed(module);
  const rightProgram = reference && weighed(reference);
  const fuel = new Fuel(most);
  const count = 'vectors' in parameters ? parameters.vectors.length : parameters.draws;
  for (let i = 0; i < count; i++) {
    const input =
      'vectors' in parameters ? parameters.vectors[i]!.input : drawnInput(seed, i, parameters.bytes);
    let wanted: Uint8Array;
    if ('vectors' in parameters) wanted = parameters.vectors[i]!.output;
    else {
      const right = yield fuel.job(rightProgram!, input);
      const isPaid = fuel.take(right, rightProgram!, input);
      if (right instanceof ProgramFault || right.end !== 'returned')
        return outcomeOf('fail', 'the reference program gives no output', fuel.used);
      if (!isPaid) return outcomeOf('out_of_fuel', `vector ${i}`, fuel.used);
      wanted = right.output;
    }
    const ended = yield fuel.job(program, input);
    const isPaid = fuel.take(ended, program, input);
    if (ended instanceof ProgramFault) return outcomeOf('fail', 'the delivery is not a program', fuel.used);
    if (!isPaid || ended.end === 'out_of_fuel') return outcomeOf('out_of_fuel', `vector ${i}`, fuel.used);
    if (ended.end !== 'returned') return outcomeOf('fail', `vector ${i}: ${ended.end}`, fuel.used);
    if (!equalBytes(ended.output, wanted)) return outcomeOf('fail', `vector ${i}: another output`, fuel.used);
  }
  return outcomeOf('pass', '', fuel.used);
}
