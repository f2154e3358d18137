// One invocation of `vws`: find the command, parse its flags, run it, report errors.
// Keeps: every path ends in a code of exit-code.ts; an error begins with a line on standard error in the form
// `error: <text> (<code>)`, behind which --json puts one with an object; usage errors point to the right help.

import type { Environment } from '../config/config.ts';
import { parseCommandLine } from './command-line.ts';
import { loadCommand, loadCommands } from './command-table.ts';
import { readConfigFile } from './config-source.ts';
import { detailUnits } from './detail-units.ts';
import { EXIT, type ExitCode, type Failure, failureOf, UsageError, unknownCommand } from './exit-code.ts';
import { commandHelp, generalHelp } from './help-text.ts';
import type { Io } from './io.ts';
import { jsonText, plainText, printObject } from './output.ts';
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
    io.err(plainText(`error: ${failure.text} (${failure.code})`));
    if (args.includes('--json')) {
      io.err(failureJson(failure));
      return failure.exit;
    }
    explain(io, failure);
    if (error instanceof UsageError) {
      const named = args[0] === 'help' ? undefined : (await loadCommand(args[0] ?? ''))?.name;
      const command = error.command ?? named;
      io.err(`See: vws ${command === undefined ? '' : `${command} `}--help`);
    }
    return failure.exit;
  }
}

function explain(io: Io, { code, details, txid, isOpen, retryAfterSecs, hint }: Failure): void {
  const units = details && detailUnits(code, details);
  if (details) printObject({ out: (line) => io.err(`  ${line}`) }, details, { units });
  if (txid !== undefined && isOpen) io.err(`  TxID: ${txid}`);
  else if (retryAfterSecs !== undefined) io.err(`  Retry after: ${retryAfterSecs} s`);
  if (hint !== undefined) io.err(`Hint: ${hint}`);
}

function failureJson({ text, code, details, txid, isOpen, retryAfterSecs, hint }: Failure): string {
  const open = isOpen === undefined ? {} : { may_have_run: isOpen };
  return jsonText({ error: text, code, details, txid, ...open, retry_after: retryAfterSecs, hint });
}

async function dispatch(args: readonly string[], around: Surroundings): Promise<ExitCode> {
  const [name, ...rest] = args;
  if (name === undefined) {
    around.io.err(generalHelp(await loadCommands()));
    return EXIT.USAGE;
  }
  if (name === '--help' || name === '-h') {
    around.io.out(generalHelp(await loadCommands()));
    return EXIT.DONE;
  }
  const command = await loadCommand(name === '--version' ? 'version' : name);
  if (!command) {
    throw name.startsWith('-')
      ? new UsageError(`unknown flag "${name}"`)
      : unknownCommand(name, await loadCommands());
  }

  const { flags, words, isHelpRequested } = parseCommandLine(command, rest);
  if (isHelpRequested) {
    around.io.out(commandHelp(command));
    return EXIT.DONE;
  }
  const file = readConfigFile(command, flags, around.env);
  return await command.run({ ...around, flags, file, words });
}
