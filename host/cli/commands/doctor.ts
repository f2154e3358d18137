// vws doctor: what is wrong with a node's data directory, and what to do.

import { loadHeldSeatSettings } from '../../config/config.ts';
import { type Command, isSwitchOn } from '../command.ts';
import { JSON_OPTION } from '../connection.ts';
import { examine } from '../examination.ts';
import { EXIT } from '../exit-code.ts';
import { printJson } from '../output.ts';

const MARKS = { good: 'ok', care: 'note', bad: 'FAULT' } as const;

export const doctor: Command = {
  name: 'doctor',
  summary: "say what is wrong with a node's data directory",
  about: `Reads the data directory of a node, running or stopped, and the last-signed record, and changes nothing:
version of Node.js, permissions, key file, storage engine, write-ahead logs, room on the disk. One line
each, with what to do. Exit code 1 if there is a fault. What only the engine can see, it does not check.`,
  options: [JSON_OPTION],
  settings: 'resume-seat',
  examples: ['vws doctor --data ./node1', 'vws doctor --config /etc/vws/vws.toml --json'],
  async run(context) {
    const findings = await examine({ ...loadHeldSeatSettings(context), nodeVersion: process.version });
    if (isSwitchOn(context, 'json')) printJson(context.io, findings);
    else
      for (const { about, state, text } of findings)
        context.io.out(`${MARKS[state].padEnd(5)} ${about}: ${text}`);
    return findings.some(({ state }) => state === 'bad') ? EXIT.FAILED : EXIT.DONE;
  },
};
