// All commands, in the order `vws help` lists them.

import type { CommandGroup } from './command.ts';
import { audit } from './commands/audit.ts';
import { balance } from './commands/balance.ts';
import { challenge } from './commands/challenge.ts';
import { helpOn } from './commands/help.ts';
import { info } from './commands/info.ts';
import { init } from './commands/init.ts';
import { keygen } from './commands/keygen.ts';
import { manifest } from './commands/manifest.ts';
import { network } from './commands/network.ts';
import { pending } from './commands/pending.ts';
import { register } from './commands/register.ts';
import { replay } from './commands/replay.ts';
import { resumeSeat } from './commands/resume-seat.ts';
import { stake } from './commands/stake.ts';
import { start } from './commands/start.ts';
import { status } from './commands/status.ts';
import { transfer } from './commands/transfer.ts';
import { tryOut } from './commands/try.ts';
import { unstake } from './commands/unstake.ts';
import { validator } from './commands/validator.ts';
import { validators } from './commands/validators.ts';
import { verify } from './commands/verify.ts';
import { version } from './commands/version.ts';

export const COMMANDS: readonly CommandGroup[] = [
  { title: 'Running a node', commands: [tryOut, init, manifest, start, resumeSeat] },
  { title: 'Acting as an agent', commands: [keygen, register, stake, unstake, transfer] },
  { title: 'Validating', commands: [pending, verify, challenge, replay, validator] },
  { title: 'Inspecting', commands: [info, balance, status, network, validators, audit] },
  // `help` explains this very table, so it gets a function that reads it when it runs.
  { title: 'Other', commands: [version, helpOn(() => COMMANDS)] },
];
