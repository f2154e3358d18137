// A folder with a check: its settings (check.json), its source or the program it names, its examples.
// Keeps: a member that is not known is refused, so that a slip is never a setting that nobody reads.

import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { MAX_FUEL } from '../../programs/limits.ts';
import { fromHex } from '../../wire/bytes.ts';
import { isRecord } from '../../wire/json.ts';
import { UsageError } from '../exit-code.ts';

const SETTINGS = 'check.json';
const SEED_CHARS = 64;
/** What an example must come to, and the folder of those that must. */
export const EXAMPLE_FOLDERS = { good: 'pass', bad: 'fail' } as const;

export interface Project {
  folder: string;
  /** Its source; absent: `program` names one that is there already. */
  source: string | undefined;
  /** A file of the folder, or the name of a standard check. */
  program: string | undefined;
  parameters: object;
  fields: object;
  seed: Uint8Array;
  fuel: number | undefined;
  /** By example: what its reason must contain. */
  reasons: Readonly<Record<string, string>>;
}

export interface Example {
  /** `good/a.json`. */
  name: string;
  must: 'pass' | 'fail';
  delivery: Uint8Array;
}

const isText = (value: unknown): boolean => typeof value === 'string' && value !== '';
const isSeed = (value: unknown): boolean =>
  typeof value === 'string' && value.length === SEED_CHARS && fromHex(value) !== undefined;
const isFuel = (value: unknown): boolean =>
  Number.isSafeInteger(value) && (value as number) >= 1 && (value as number) <= MAX_FUEL;

/** What check.json may hold. */
const MEMBERS: Readonly<Record<string, [test: (value: unknown) => boolean, kind: string]>> = {
  source: [isText, 'the path of the source'],
  program: [isText, 'the path of a program, or the name of a standard check'],
  parameters: [isRecord, 'an object'],
  fields: [isRecord, 'an object'],
  seed: [isSeed, '64 hex digits'],
  fuel: [isFuel, `an integer from 1 to ${MAX_FUEL}`],
  reasons: [
    (value) => isRecord(value) && Object.values(value).every(isText),
    'texts by the name of an example',
  ],
};

const wrong = (path: string, why: string): UsageError => new UsageError(`${path}: ${why}`, 'check');

function readSettings(path: string): Record<string, unknown> {
  let settings: unknown;
  try {
    settings = JSON.parse(readFileSync(path, 'utf8'));
  } catch (error) {
    throw wrong(path, (error as Error).message);
  }
  if (!isRecord(settings)) throw wrong(path, 'not a JSON object');
  for (const [name, value] of Object.entries(settings)) {
    const [test, kind] = MEMBERS[name] ?? [];
    if (test === undefined) throw wrong(path, `unknown member "${name}"`);
    if (!test(value)) throw wrong(path, `${name} is not ${kind}`);
  }
  if ((settings.source === undefined) === (settings.program === undefined))
    throw wrong(path, 'either source or program must be stated');
  return settings;
}

/** Errors: UsageError if the folder holds no check. */
export function readProject(folder: string): Project {
  const path = join(folder, SETTINGS);
  if (!existsSync(path))
    throw new UsageError(`${path} is missing: vws check new <name> makes a check`, 'check');
  const { parameters = {}, fields = {}, seed = '', reasons = {}, ...rest } = readSettings(path);
  return { folder, parameters, fields, seed: fromHex(seed as string), reasons, ...rest } as Project;
}

/** The project's examples by name, the good ones first. Errors: UsageError unless there are some of each kind. */
export function readExamples(project: Project): Example[] {
  const examples: Example[] = [];
  for (const [kind, must] of Object.entries(EXAMPLE_FOLDERS)) {
    const folder = join(project.folder, 'examples', kind);
    const names = existsSync(folder) ? readdirSync(folder).filter((name) => !name.startsWith('.')) : [];
    const files = names.filter((name) => statSync(join(folder, name)).isFile()).sort();
    // A check that always passes, or never, would otherwise be called right.
    if (files.length === 0) throw new UsageError(`${folder} holds no example`, 'check');
    for (const name of files)
      examples.push({
        name: `${kind}/${name}`,
        must,
        delivery: new Uint8Array(readFileSync(join(folder, name))),
      });
  }
  const stray = Object.keys(project.reasons).find((name) => !examples.some((one) => one.name === name));
  if (stray !== undefined) throw wrong(join(project.folder, SETTINGS), `reasons: no example "${stray}"`);
  return examples;
}
