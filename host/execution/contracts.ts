// Contracts: from the terms of a request to what is stored, and from a delivery to the runs of its checks (protocol 14.9).
// Keeps: a contract is a pure function of its checks, the fields of the task, the delivery and the seed; which programs exist
// is a fact of earlier blocks. Never the worker.

import { invalid, ServiceError } from '../errors.ts';
import { CHECK_DIGESTS, type CheckName } from '../modules/module-digests.ts';
import type { CheckInput, CheckOutcome } from '../programs/check-job.ts';
import { type CheckSteps, programSteps } from '../programs/check-steps.ts';
import { DEFAULT_FUEL, memoryWeight } from '../programs/limits.ts';
import { memoryPagesOf } from '../programs/module.ts';
import { readVectors, VECTORS, type VectorParameters, vectorSteps } from '../programs/vectors.ts';
import type { AcceptanceDoc, CheckDoc, ContractReportDoc, TaskTextDoc } from '../store/task-documents.ts';
import { utf8 } from '../wire/bytes.ts';
import { sha256, sha256Hex } from '../wire/hash.ts';
import { jcs } from '../wire/json.ts';
import type { Args } from '../wire/operations.ts';

/** Fuel that each check counts besides its own: its module is admitted, compiled and given its input. */
const CHECK_BASE_FUEL = 1_000_000;
const MAX_CONTRACT_FUEL = 200_000_000;
const SEED_TAG = utf8('VWS-CONTRACT-SEED-V1');

/** Which programs exist, as of the blocks before. */
export interface Programs {
  /** The module of a program by its hash in hex. */
  program(hash: string): Uint8Array | undefined;
}

export type AcceptanceArgs = Pick<Args<'taskCreate'>, 'acceptance' | 'settle'>;

const isStandard = (name: string): name is CheckName => Object.hasOwn(CHECK_DIGESTS, name);

type GivenCheck = NonNullable<AcceptanceArgs['acceptance']>[number];

/** Of a program that was found when its contract was made. */
function moduleOf(hash: string, programs: Programs): Uint8Array {
  const module = programs.program(hash);
  if (!module) throw new Error(`program ${hash} of a stored contract is missing`);
  return module;
}

function demandProgram(hash: string, programs: Programs): Uint8Array {
  const module = programs.program(hash);
  if (!module) throw new ServiceError('program_not_found', { text: `no program ${hash}` });
  return module;
}

/** The parameters of `vectors` are the runner's own, so they are valid or the task is not created. */
function demandVectors({ parameters, seeded }: CheckDoc, programs: Programs): void {
  const read = readVectors(parameters);
  if (!read) throw invalid('the parameters of vectors are not of its form (protocol 14.11)');
  if ('vectors' in read) return;
  if (!seeded) throw invalid('vectors with a reference program draw their inputs: seeded must be true');
  demandProgram(read.reference, programs);
}

const checkDoc = (given: GivenCheck): CheckDoc => ({
  program: isStandard(given.program) ? CHECK_DIGESTS[given.program] : given.program,
  parameters: given.parameters ?? {},
  fuel: given.fuel ?? DEFAULT_FUEL,
  fields: given.fields ?? [],
  seeded: given.seeded ?? false,
});

type Terms = Omit<AcceptanceDoc, 'hash'>;

const termsOf = ({ acceptance = [], settle = 'review' }: AcceptanceArgs): Terms => ({
  checks: acceptance.map(checkDoc),
  settle,
});

const STANDARD: ReadonlySet<string> = new Set(Object.values(CHECK_DIGESTS));

/**
 * How often a contract counts the fuel of a program (protocol 14.9). What the standard checks do with their memory is known.
 * `module`: may be long, so it is read only where it tells.
 */
export const fuelWeight = (hash: string, module: () => Uint8Array): number =>
  STANDARD.has(hash) ? 1 : memoryWeight(memoryPagesOf(module()));

/** The same of a check, if it can be run; `vectors` weighs each run. Errors: invalid_request, program_not_found. */
function weightOf(check: CheckDoc, programs: Programs): number {
  if (check.program !== VECTORS)
    return fuelWeight(check.program, () => demandProgram(check.program, programs));
  demandVectors(check, programs);
  return 1;
}

/** The contract of a request, and the fuel that a run of it is counted with. */
export interface AdmittedContract extends Terms {
  fuel: number;
}

/** The contract that a new task asks for; undefined without one. Errors: invalid_request, program_not_found. */
export function admitContract(args: AcceptanceArgs, programs: Programs): AdmittedContract | undefined {
  if (!args.acceptance) return undefined;
  const terms = termsOf(args);
  const weights = terms.checks.map((check) => weightOf(check, programs));
  const fuel = terms.checks.reduce((sum, check, i) => sum + check.fuel * weights[i]! + CHECK_BASE_FUEL, 0);
  if (fuel > MAX_CONTRACT_FUEL) {
    throw invalid(
      `the checks count ${fuel} fuel, at most ${MAX_CONTRACT_FUEL}: ${CHECK_BASE_FUEL} for each included, and the fuel of a published program once for each 8 pages of its memory`,
    );
  }
  return { ...terms, fuel };
}

/** The contract of a task as it is stored, once `admitContract` admitted it; undefined without one. */
export function storedContract(args: AcceptanceArgs): AcceptanceDoc | undefined {
  if (!args.acceptance) return undefined;
  const terms = termsOf(args);
  return { ...terms, hash: sha256Hex(utf8(jcs(terms))) };
}

/** The seed of a run: nobody knows it before the block is made. */
export const seedOf = (blockHash: Uint8Array, submission: Uint8Array): Uint8Array =>
  sha256(SEED_TAG, blockHash, submission);

/** One check with what it is given. */
export interface CheckRun {
  /** Its module; undefined for `vectors`. */
  program: Uint8Array | undefined;
  fuel: number;
  input: CheckInput;
  /** Of `vectors`. */
  parameters: VectorParameters | undefined;
  reference: Uint8Array | undefined;
}

/** The runs that the check takes. */
export const stepsOf = ({ program, fuel, input, parameters, reference }: CheckRun): CheckSteps =>
  program ? programSteps(program, fuel, input) : vectorSteps(parameters!, fuel, input, reference);

const NOTHING = new Uint8Array(0);

function fieldsOf(names: readonly string[], text: TaskTextDoc): Uint8Array {
  const given = Object.fromEntries(names.map((name) => [name, text[name as keyof TaskTextDoc]]));
  return utf8(jcs(given));
}

/** What a check of a contract is run with. `seed`: used where the check asks for one. */
export function runOf(
  check: CheckDoc,
  text: TaskTextDoc,
  delivery: Uint8Array,
  seed: Uint8Array | undefined,
  programs: Programs,
): CheckRun {
  const parameters = check.program === VECTORS ? readVectors(check.parameters) : undefined;
  const input = {
    parameters: utf8(jcs(check.parameters)),
    fields: fieldsOf(check.fields, text),
    delivery,
    seed: check.seeded ? (seed ?? NOTHING) : NOTHING,
  };
  return {
    program: parameters ? undefined : moduleOf(check.program, programs),
    fuel: check.fuel,
    input,
    parameters,
    reference: parameters && 'reference' in parameters ? moduleOf(parameters.reference, programs) : undefined,
  };
}

/** The report of a contract so far: checks are run in order up to the first that fails. */
export class ReportOf {
  #scoreBp = 10_000;
  #fuel = 0;
  #failed: ContractReportDoc | undefined;

  /** Takes the outcome of the next check; false once one has failed. */
  take(check: number, { program }: CheckDoc, { end, reason, scoreBps, fuel }: CheckOutcome): boolean {
    this.#fuel += fuel;
    this.#scoreBp = Math.min(this.#scoreBp, scoreBps);
    if (end === 'pass') return true;
    this.#failed = { passed: false, check, program, end, reason, score_bp: this.#scoreBp, fuel: this.#fuel };
    return false;
  }

  get report(): ContractReportDoc {
    if (this.#failed) return this.#failed;
    return { passed: true, check: 0, end: 'pass', reason: '', score_bp: this.#scoreBp, fuel: this.#fuel };
  }
}
