// Broken rules of writes over a stream: protocol 9.5.

import type { Mutant } from './mutant.ts';

const FILE = 'host/api/stream-writes.ts';
const TESTS = ['test/host/api/stream-writes.test.ts'];

export const STREAM_WRITES: readonly Mutant[] = [
  {
    room: 'stream',
    rule: 'any number of frames of a socket is under way',
    file: FILE,
    from: 'if (this.#underWay >= MAX_FRAMES) {',
    to: 'if (this.#underWay >= 10 * MAX_FRAMES) {',
    tests: TESTS,
  },
  {
    room: 'stream',
    rule: 'who goes on sending what is refused is not cut off',
    file: FILE,
    from: 'this.#refused += 1;',
    to: 'this.#refused = 1;',
    tests: TESTS,
  },
  {
    room: 'stream',
    rule: 'answers that nobody reads are kept without bound',
    file: FILE,
    from: 'if (this.socket.unsentBytes() > MAX_UNREAD_BYTES) {',
    to: 'if (this.socket.unsentBytes() > 100 * MAX_UNREAD_BYTES) {',
    tests: TESTS,
  },
  {
    room: 'stream',
    rule: 'a frame is paid by what its proxy is, not by its client',
    file: FILE,
    from: "return name === 'x-forwarded-for' ? handshake.header(name) : undefined;",
    to: 'return undefined;',
    tests: TESTS,
  },
  {
    room: 'stream',
    rule: 'pages of every origin read answers to writes',
    file: 'host/api/own-host.ts',
    from: "if (host === '' || host !== request.header('host')?.toLowerCase())",
    to: "if (host === 'nobody')",
    tests: TESTS,
  },
];
