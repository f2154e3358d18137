// vws version

import { PROTOCOL_VERSION, VERSION } from '../../config/config.ts';
import type { Command } from '../command.ts';
import { EXIT } from '../exit-code.ts';

export const version: Command = {
  name: 'version',
  summary: 'print the version',
  about: 'Prints the version of the program and of its protocol.',
  options: [],
  examples: ['vws version'],
  async run({ io }) {
    io.out(`vws ${VERSION}`);
    io.out(`Protocol: ${PROTOCOL_VERSION}`);
    return EXIT.DONE;
  },
};
