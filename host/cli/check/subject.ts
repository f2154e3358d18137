// What a check is run on and with: the program, its parameters, the delivery.

import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { CHECK_DIGESTS, type CheckName } from '../../modules/module-digests.ts';
import { type CheckOutcome, packInput, readOutcome } from '../../programs/check-job.ts';
import { DEFAULT_FUEL, MAX_OUTPUT_BYTES } from '../../programs/limits.ts';
import type { InlineRunner } from '../../programs/runner.ts';
import { utf8 } from '../../wire/bytes.ts';
import { jcs } from '../../wire/json.ts';
import { systemProgram } from '../../world/system/files.ts';
import { UsageError } from '../exit-code.ts';
import { compileProject } from './compile.ts';
import type { Project } from './project.ts';

const HASH = /^[0-9a-f]{64}$/;

/** The standard check of a name or hash; undefined if there is none. */
function standardCheck(text: string): Uint8Array | undefined {
  const [name] = Object.entries(CHECK_DIGESTS).find((row) => row.includes(text as never)) ?? [];
  return name === undefined ? undefined : systemProgram.read(`checks/${name}.wasm`);
}

const readBytes = (path: string): Uint8Array => {
  try {
    return new Uint8Array(readFileSync(path));
  } catch (error) {
    throw new UsageError((error as Error).message, 'check');
  }
};

/** The module that a name or hash of a standard check, or a file, names. Errors: UsageError. */
export function findProgram(text: string, folder = '.'): Uint8Array {
  const standard = standardCheck(text);
  if (standard !== undefined) return standard;
  const path = join(folder, text);
  if (existsSync(text)) return readBytes(text);
  if (existsSync(path)) return readBytes(path);
  const names = (Object.keys(CHECK_DIGESTS) as CheckName[]).join(', ');
  throw new UsageError(
    HASH.test(text)
      ? `no standard check has the hash ${text}; give the program's file`
      : `"${text}" is neither a file nor a standard check (${names})`,
    'check',
  );
}

/** The program of a project, compiled if it has a source. Errors: UsageError. */
export const programOf = async (project: Project): Promise<Uint8Array> =>
  project.source === undefined
    ? findProgram(project.program as string, project.folder)
    : (await compileProject(project)).program;

/** An object given as JSON, or as a file that holds it. Errors: UsageError. */
export function objectFrom(text: string, flag: string): object {
  try {
    const value: unknown = JSON.parse(text.trimStart().startsWith('{') ? text : readFileSync(text, 'utf8'));
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value;
  } catch (error) {
    throw new UsageError(`--${flag}: ${(error as Error).message}`, 'check');
  }
  throw new UsageError(`--${flag}: not a JSON object`, 'check');
}

export const readDelivery = readBytes;

export interface CheckRun {
  program: Uint8Array;
  parameters: object;
  fields: object;
  seed: Uint8Array;
  fuel: number | undefined;
}

/** Runs a check as a node does. Errors: ProgramFault if the module is no program. */
export function judge(
  runner: InlineRunner,
  { program, parameters, fields, seed, fuel }: CheckRun,
  delivery: Uint8Array,
): CheckOutcome {
  const input = packInput({ parameters: utf8(jcs(parameters)), fields: utf8(jcs(fields)), delivery, seed });
  const limits = { fuel: fuel ?? DEFAULT_FUEL, outputBytes: MAX_OUTPUT_BYTES };
  return readOutcome(runner.runNow({ program, input, limits }));
}
