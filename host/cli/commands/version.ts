// vws version

import { PEER_PROTOCOL, PROTOCOL_VERSION, SOFTWARE_VERSION, VERSION } from '../../config/config.ts';
import { SCHEMA } from '../../execution/recovery.ts';
import { CHECK_DIGESTS, MODULE_DIGESTS } from '../../modules/module-digests.ts';
import { NEWEST_REVISION } from '../../wire/revisions.ts';
import { type Command, isSwitchOn } from '../command.ts';
import { JSON_OPTION } from '../connection.ts';
import { EXIT } from '../exit-code.ts';
import { printJson } from '../output.ts';

export const version: Command = {
  name: 'version',
  summary: 'print the version',
  about: `Prints the version of the specification and of its protocol. With --json also the program's own
version, the protocol between nodes, the newest revision of the rules that it knows, the format of its
store, the version of Node.js, and the SHA-256 of each WebAssembly module that the program runs: nodes of
one network have the same, but while it changes from one release to the next.`,
  options: [JSON_OPTION],
  examples: ['vws version', 'vws version --json'],
  async run(context) {
    const { io } = context;
    if (isSwitchOn(context, 'json')) {
      printJson(io, {
        version: VERSION,
        software_version: SOFTWARE_VERSION,
        protocol_version: PROTOCOL_VERSION,
        peer_protocol: PEER_PROTOCOL,
        revision: NEWEST_REVISION,
        store_format: SCHEMA,
        node: process.version,
        modules: MODULE_DIGESTS,
        checks: CHECK_DIGESTS,
      });
      return EXIT.DONE;
    }
    io.out(`vws ${VERSION}`);
    io.out(`Protocol: ${PROTOCOL_VERSION}`);
    return EXIT.DONE;
  },
};
