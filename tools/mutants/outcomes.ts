// Broken rules of what became of a write: of a client whose answers are lost or refused, and of a model's tools, which pay
// twice where they take the word of one copy for that of all (protocol 1.8, guides/mcp.md 3).

import type { Mutant } from './mutant.ts';

const SUBMISSION = ['test/host/client/submission.test.ts'];
const FATE = ['test/host/client/fate.test.ts'];
const SPOOLED = ['test/host/mcp/spooled-client.test.ts'];

export const OUTCOMES: readonly Mutant[] = [
  {
    room: 'outcomes',
    rule: 'what cannot be read has lapsed',
    file: 'host/client/submission.ts',
    from: 'if (error instanceof VwsError) return false;',
    to: 'if (error instanceof VwsError) return true;',
    tests: SUBMISSION,
  },
  {
    room: 'outcomes',
    rule: 'a node that is behind may have carried a request out',
    file: 'host/client/submission.ts',
    from: "'not_ready', 'overloaded', 'behind', 'faucet_empty'",
    to: "'not_ready', 'overloaded', 'faucet_empty'",
    tests: SUBMISSION,
  },
  {
    room: 'outcomes',
    rule: 'the event is looked for before the state is read',
    file: 'host/client/client.ts',
    from: 'const now = await this.status();\n    const event = await this.findEvent(txid);',
    to: 'const event = await this.findEvent(txid);\n    const now = await this.status();',
    tests: FATE,
  },
  {
    room: 'outcomes',
    rule: 'the refusal of a second copy says what became of the first',
    file: 'host/client/client.ts',
    from: '!unsent.delete(request),',
    to: 'unsent.delete(request) && false,',
    tests: FATE,
  },
  {
    room: 'outcomes',
    rule: 'what a batch has sent passes for unsent',
    file: 'host/client/client.ts',
    from: 'for (const request of requests) unsent.delete(request);',
    to: '',
    tests: FATE,
  },
  {
    room: 'outcomes',
    rule: 'a limit of the node is the outcome of an idempotency key',
    file: 'host/mcp/spooled-client.ts',
    from: "'rate_limited', ",
    to: '',
    tests: SPOOLED,
  },
  {
    room: 'outcomes',
    rule: 'the page of a proxy is the outcome of an idempotency key',
    file: 'host/mcp/spooled-client.ts',
    from: ", 'bad_answer'])",
    to: '])',
    tests: SPOOLED,
  },
  {
    room: 'outcomes',
    rule: 'the refusal of the last of several copies is final',
    file: 'host/mcp/spooled-client.ts',
    from: 'this.#sends.count === 1 &&',
    to: '',
    tests: SPOOLED,
  },
  {
    room: 'outcomes',
    rule: 'the refusal of a read is that of the write before it',
    file: 'host/mcp/spooled-client.ts',
    from: 'error.request === undefined &&\n        this.#sends',
    to: 'this.#sends',
    tests: SPOOLED,
  },
];
