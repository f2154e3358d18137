// One invocation of `vws`: find the command, parse its flags, run it, report errors.
// Keeps: every path ends in a code of exit-code.ts; an error is one line on standard error in the form
// `error: <text> (<code>)`; usage errors point to the right help.

import type { Environment } from '../config/config.ts';
import { commandNamed } from './command.ts';
import { parseCommandLine } from './command-line.ts';
import { COMMANDS } from './command-table.ts';
import { EXIT, type ExitCode, failureOf, UsageError } from './exit-code.ts';
import { commandHelp, generalHelp } from './help-text.ts';
import type { Io } from './io.ts';
import type { StartNode } from './running-node.ts';

export interface Surroundings {
  io: Io;
  env: Environment;
  startNode: StartNode;
}

/** `args`: the words after `vws`. Never rejects. */
export async function runCommandLine(args: readonly string[], around: Surroundings): Promise<ExitCode> {
  const { io } = around;
  try {
    return await dispatch(args, around);
  } catch (error) {
    const failure = failureOf(error);
    io.err(`error: ${failure.text} (${failure.code})`);
    if (error instanceof UsageError) {
      io.err(`See: vws ${error.command === undefined ? '' : `${error.command} `}--help`);
    }
    return failure.exit;
  }
}

async function dispatch(args: readonly string[], around: Surroundings): Promise<ExitCode> {
  const [name, ...rest] = args;
  if (name === undefined) {
    around.io.err(generalHelp(COMMANDS));
    return EXIT.USAGE;
  }
  if (name === '--help' || name === '-h') {
    around.io.out(generalHelp(COMMANDS));
    return EXIT.DONE;
  }
  const command = commandNamed(COMMANDS, name === '--version' ? 'version' : name);
  if (!command) throw new UsageError(`unknown ${name.startsWith('-') ? 'flag' : 'command'} "${name}"`);

  const { flags, words, isHelpRequested } = parseCommandLine(command, rest);
  if (isHelpRequested) {
    around.io.out(commandHelp(command));
    return EXIT.DONE;
  }
  return await command.run({ ...around, flags, words });
}
