// Commands of several verbs: `vws challenge open`. The verb is the command's one word; each verb names the flags it needs.
// Keeps: a missing verb, an unknown one or a missing flag is a UsageError before anything is sent.

import { type CommandContext, optionText } from './command.ts';
import { type ExitCode, UsageError } from './exit-code.ts';

export interface Verb {
  /** Names of options without which it cannot run. */
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
  for (const name of verb.needs) {
    if (optionText(context, name) === undefined) {
      throw new UsageError(`${command} ${word} needs --${name}`, command);
    }
  }
  return await verb.run(context);
}

/** The text of an option that the verb needs. */
export const needed = (context: CommandContext, name: string): string => optionText(context, name) as string;

/** An option that is one of a few words. Errors: UsageError. */
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
    throw new UsageError(`--${name}: "${text}" is none of ${values.join(', ')}`, command);
  return found;
}
