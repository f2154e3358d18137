// Commands with several verbs: `vws challenge open`. The verb is the command's one word; each lists the flags it needs.
// Keeps: a missing or unknown verb or a missing flag is a UsageError before anything is sent.

import type { Query, VwsClient } from '../client/index.ts';
import { type CommandContext, optionText } from './command.ts';
import { openClient, pagingOf, printList } from './connection.ts';
import { EXIT, type ExitCode, UsageError } from './exit-code.ts';

export interface Verb {
  /** The option that a second word gives: `vws task show 4f1c…` is `vws task show --id 4f1c…`. */
  takes?: string;
  /** Names of the options it requires. */
  needs: readonly string[];
  run(context: CommandContext): Promise<ExitCode>;
}

/** Runs the verb that was typed. Errors: UsageError. */
export async function runVerb(
  command: string,
  verbs: Readonly<Record<string, Verb>>,
  context: CommandContext,
): Promise<ExitCode> {
  const [word] = context.words;
  const verb = word !== undefined && Object.hasOwn(verbs, word) ? verbs[word] : undefined;
  if (!verb) {
    const names = Object.keys(verbs).join(', ');
    const found = word === undefined ? '' : `, not "${word}"`;
    throw new UsageError(`${command} takes one of ${names}${found}`, command);
  }
  const given = withSubject(command, verb, context);
  for (const name of verb.needs) {
    if (optionText(given, name) === undefined) {
      const call = `${command} ${word}`;
      const asWord = name === verb.takes ? `, or the same as a word: vws ${call} <${name}>` : '';
      throw new UsageError(`${call} needs --${name}${asWord}`, command);
    }
  }
  return await verb.run(given);
}

/** The context with the second word as the option that it stands for. */
function withSubject(command: string, { takes }: Verb, context: CommandContext): CommandContext {
  const [, subject] = context.words;
  if (subject === undefined) return context;
  if (takes === undefined || context.flags[takes] !== undefined) {
    throw new UsageError(`unexpected word "${subject}"`, command);
  }
  return { ...context, flags: { ...context.flags, [takes]: subject } };
}

/**
 * A verb that prints a list as a table: `filters` maps members of the query to the options that set them, beside
 * `--limit` and `--page`; `rowOf` makes the cells below `heads`.
 */
export const listVerb = <T>(
  heads: readonly string[],
  filters: Readonly<Record<string, string>>,
  list: (client: VwsClient, query: Query) => Promise<readonly T[]>,
  rowOf: (item: T) => string[],
): Verb => ({
  needs: [],
  async run(context) {
    const given = Object.entries(filters).map(([member, option]) => [member, optionText(context, option)]);
    const query = { ...Object.fromEntries(given), ...pagingOf(context) };
    printList(context, heads, await list(openClient(context), query), rowOf);
    return EXIT.DONE;
  },
});

/** The value of an option that the verb needs. */
export const needed = (context: CommandContext, name: string): string => optionText(context, name) as string;

/** The value of an option that takes one of a few words. Errors: UsageError. */
export function choice<const T extends string>(
  context: CommandContext,
  command: string,
  name: string,
  values: readonly T[],
): T | undefined {
  const text = optionText(context, name);
  if (text === undefined) return undefined;
  const found = values.find((value) => value === text);
  if (found === undefined)
    throw new UsageError(`--${name}: "${text}" is not one of ${values.join(', ')}`, command);
  return found;
}
