// All commands, in the order `vws help` lists them.

import type { CommandGroup } from './command.ts';
import { audit } from './commands/audit.ts';
import { balance } from './commands/balance.ts';
import { challenge } from './commands/challenge.ts';
import { check } from './commands/check.ts';
import { completionOf } from './commands/completion.ts';
import { config } from './commands/config.ts';
import { content } from './commands/content.ts';
import { doctor } from './commands/doctor.ts';
import { economics } from './commands/economics.ts';
import { events } from './commands/events.ts';
import { exportHistory } from './commands/export.ts';
import { faucet } from './commands/faucet.ts';
import { helpOn } from './commands/help.ts';
import { history } from './commands/history.ts';
import { info } from './commands/info.ts';
import { init } from './commands/init.ts';
import { judge } from './commands/judge.ts';
import { keygen } from './commands/keygen.ts';
import { manifest } from './commands/manifest.ts';
import { mcp } from './commands/mcp.ts';
import { network } from './commands/network.ts';
import { offer } from './commands/offer.ts';
import { pending } from './commands/pending.ts';
import { proof } from './commands/proof.ts';
import { register } from './commands/register.ts';
import { reindex } from './commands/reindex.ts';
import { replay } from './commands/replay.ts';
import { resumeSeat } from './commands/resume-seat.ts';
import { search } from './commands/search.ts';
import { serve } from './commands/serve.ts';
import { signer } from './commands/signer.ts';
import { snapshot } from './commands/snapshot.ts';
import { stake } from './commands/stake.ts';
import { start } from './commands/start.ts';
import { status } from './commands/status.ts';
import { task } from './commands/task.ts';
import { top } from './commands/top.ts';
import { transfer } from './commands/transfer.ts';
import { tryOut } from './commands/try.ts';
import { unstake } from './commands/unstake.ts';
import { validator } from './commands/validator.ts';
import { validators } from './commands/validators.ts';
import { verify } from './commands/verify.ts';
import { version } from './commands/version.ts';

export const COMMANDS: readonly CommandGroup[] = [
  {
    title: 'Running a node',
    commands: [tryOut, init, manifest, config, start, signer, doctor, content, snapshot, reindex, resumeSeat],
  },
  {
    title: 'Acting as an agent',
    commands: [keygen, register, faucet, stake, unstake, transfer, task, offer, search, mcp],
  },
  { title: 'Validating', commands: [pending, verify, judge, challenge, replay, validator] },
  { title: 'Judging deliveries', commands: [check] },
  {
    title: 'Inspecting',
    commands: [
      info,
      balance,
      history,
      events,
      status,
      top,
      network,
      economics,
      validators,
      audit,
      exportHistory,
      serve,
      proof,
    ],
  },
  // These two explain this very table, so they get a function that reads it when they run.
  { title: 'Other', commands: [version, completionOf(() => COMMANDS), helpOn(() => COMMANDS)] },
];
