// Broken rules of commands that are typed again: protocol, node.

import type { Mutant } from './mutant.ts';

const FILE = 'host/cli/open-requests.ts';
const TESTS = ['test/host/cli/commands/kept.test.ts'];

export const COMMANDS: readonly Mutant[] = [
  {
    room: 'commands',
    rule: 'a request that another process has begun meanwhile is not looked for',
    file: FILE,
    from: 'if (this.all().every(({ txid }) => txid === request.txid)) return true;',
    to: 'if (this.all().length > 0) return true;',
    tests: TESTS,
  },
  {
    room: 'commands',
    rule: 'the refusal of one copy of a request ends it while another is on its way',
    file: FILE,
    from: 'return !this.files.exists(this.#copyPath(request));',
    to: 'return true;',
    tests: TESTS,
  },
];
