// Command lines of the developer tools: a tool declares its options in a table and gets typed values.
// Keeps: the table is what `--help` shows and all that is accepted; an unknown option, an unexpected word or an invalid
// value ends the tool with one line and exit code 2 before it has done anything.

import { parseArgs } from 'node:util';
import { columns, wrap } from '../host/cli/columns.ts';
import { parseFault } from '../host/cli/parse-fault.ts';
import { ConfigError, parseInteger } from '../host/config/setting-values.ts';
import { randomBytes } from '../host/world/system/random.ts';

const MAX_SEED = 0xffff_ffff;

interface Shown {
  help: string;
  /** Placeholder of its value in help; default: that of its kind. */
  value?: string;
  /** Default value; absent: none, or described by `defaultNote`. */
  fallback?: string | number;
  defaultNote?: string;
}

export type Option = Shown &
  (
    | { kind: 'whole' | 'decimal'; range: readonly [min: number, max: number] }
    /** `choice`: one of the words; `choices`: several, separated by commas. */
    | { kind: 'choice' | 'choices'; choices: readonly string[] }
    /** `texts` may be repeated. `seed`: 32 bits, random without a default. */
    | { kind: 'text' | 'texts' | 'seed' | 'flag' }
  );

type OptionTable = Readonly<Record<string, Option>>;

interface Tool<Table extends OptionTable> {
  /** As in `npm run <name>`. */
  name: string;
  /** One or two sentences about its purpose. */
  about: string;
  options: Table;
}

interface KindValues {
  whole: number;
  decimal: number;
  seed: number;
  flag: boolean;
  text: string;
  texts: readonly string[];
}

type GivenOf<O extends Option> = O extends { kind: 'choice'; choices: readonly (infer Word)[] }
  ? Word
  : O extends { kind: 'choices'; choices: readonly (infer Word)[] }
    ? readonly Word[]
    : O extends { kind: keyof KindValues }
      ? KindValues[O['kind']]
      : never;

/** Undefined only if an absent option has no default. */
type ValueOf<O extends Option> = O extends { fallback: string | number } | { kind: 'seed' | 'flag' }
  ? GivenOf<O>
  : GivenOf<O> | undefined;

export type Values<Table extends OptionTable> = { readonly [Name in keyof Table]: ValueOf<Table[Name]> };

export type Reading<Table extends OptionTable> =
  | { values: Values<Table> }
  | { help: string }
  | { error: string };

/** The options of this process. Ends it if help is requested or something is wrong. */
export function optionsOf<const Table extends OptionTable>(tool: Tool<Table>): Values<Table> {
  const reading = readOptions(tool, process.argv.slice(2));
  if ('values' in reading) return reading.values;
  if ('error' in reading) return refuse(tool.name, reading.error);
  console.log(reading.help);
  process.exit(0);
}

/** Ends the process because its command line cannot be executed. */
export function refuse(name: string, fault: string): never {
  console.error(`error: ${fault}\nSee: npm run ${name} -- --help`);
  process.exit(2);
}

/** A seed for a run without a given one. */
export const randomSeed = (): number => Buffer.from(randomBytes(4)).readUInt32LE();

/** The content of `args`: values, or the text of `--help`, or what is wrong. */
export function readOptions<const Table extends OptionTable>(
  tool: Tool<Table>,
  args: readonly string[],
): Reading<Table> {
  const rows = Object.entries<Option>(tool.options);
  const asArgs = ({ kind }: Option) =>
    kind === 'flag' ? { type: 'boolean' as const } : { type: 'string' as const, multiple: true };
  const options = Object.fromEntries(rows.map(([name, option]) => [name, asArgs(option)]));
  const help = { type: 'boolean', short: 'h' } as const;
  try {
    const { values } = parseArgs({ args: [...args], options: { ...options, help } });
    const typed: Readonly<Record<string, unknown>> = values;
    if (typed.help === true) return { help: helpOf(tool.name, tool.about, rows) };
    const read = rows.map(([name, option]) => [name, readOption(`--${name}`, option, typed[name])]);
    // Each row was read by its kind, from which its type is derived.
    return { values: Object.fromEntries(read) as Values<Table> };
  } catch (error) {
    const fault = error instanceof ConfigError ? error.message : parseFault(error);
    if (fault === undefined) throw error;
    return { error: fault };
  }
}

/** `given`: from parseArgs. Errors: ConfigError naming `source`. */
function readOption(source: string, option: Option, given: unknown): unknown {
  if (option.kind === 'flag') return given === true;
  const fallback = option.fallback === undefined ? [] : [String(option.fallback)];
  const texts = Array.isArray(given) ? given.map(String) : fallback;
  const text = texts.at(-1);
  if (text === undefined) return option.kind === 'seed' ? randomSeed() : undefined;
  if (texts.includes('')) throw new ConfigError(`${source} is empty`);
  switch (option.kind) {
    case 'whole':
      return parseInteger(text, source, ...option.range);
    case 'seed':
      return parseInteger(text, source, 0, MAX_SEED);
    case 'decimal':
      return parseDecimal(text, source, ...option.range);
    case 'choice':
      return known([text], source, option.choices)[0];
    case 'choices':
      return known(text.split(','), source, option.choices);
    case 'texts':
      return texts;
    case 'text':
      return text;
  }
}

function parseDecimal(text: string, source: string, min: number, max: number): number {
  const value = /^\d{1,9}(\.\d{1,9})?$/.test(text) ? Number(text) : Number.NaN;
  if (value >= min && value <= max) return value;
  throw new ConfigError(`${source}: "${text}" is not a number from ${min} to ${max}`);
}

function known(words: readonly string[], source: string, choices: readonly string[]): readonly string[] {
  const unknown = words.filter((word) => !choices.includes(word));
  if (unknown.length === 0) return words;
  throw new ConfigError(`${source}: unknown ${unknown.join(', ')}; there are: ${choices.join(', ')}`);
}

const PLACEHOLDERS: Readonly<Record<Option['kind'], string>> = {
  whole: 'n',
  decimal: 'n',
  seed: 'n',
  choice: 'word',
  choices: 'word,...',
  text: 'text',
  texts: 'text',
  flag: '',
};

function helpOf(name: string, about: string, rows: readonly [string, Option][]): string {
  const flags = rows.map(([flag, option]) => {
    const value = option.kind === 'flag' ? '' : ` <${option.value ?? PLACEHOLDERS[option.kind]}>`;
    return [`--${flag}${value}`, textOf(option)];
  });
  return [
    ...wrap(`npm run ${name}: ${about}`),
    '',
    `Usage: npm run ${name} -- [flags]`,
    '',
    'Flags:',
    ...columns([...flags, ['--help, -h', 'show this text']]),
  ].join('\n');
}

/** The meaning of an option, then its range or choices and its default. */
function textOf(option: Option): string {
  const notes: string[] = [];
  if ('range' in option) notes.push(option.range.join(' to '));
  if ('choices' in option) notes.push(option.choices.join(' | '));
  if (option.kind === 'texts') notes.push('may be repeated');
  const random = option.kind === 'seed' ? 'random' : undefined;
  const fallback = option.fallback ?? option.defaultNote ?? random;
  if (fallback !== undefined) notes.push(`default ${fallback}`);
  return notes.length === 0 ? option.help : `${option.help} [${notes.join('; ')}]`;
}
