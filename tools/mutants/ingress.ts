// Rules of threads that take requests in, and of what the node takes from them.

import type { Mutant } from './mutant.ts';

export const INGRESS: readonly Mutant[] = [
  {
    room: 'ingress',
    rule: 'a signature counts by whatever key a thread tried it with',
    file: 'host/api/auth.ts',
    from: 'vetted !== undefined && equalBytes(vetted.publicKey, publicKey);',
    to: 'vetted !== undefined;',
    tests: ['test/host/api/auth-vetted.test.ts'],
  },
  {
    room: 'ingress',
    rule: 'a thread is not told which key is behind an actor',
    file: 'host/api/auth.ts',
    from: 'if (!isVetted && signer.agent) req.onKey?.(tx.actor, publicKey);',
    to: '',
    tests: ['test/host/api/auth-vetted.test.ts'],
  },
  {
    room: 'ingress',
    rule: 'one verdict holds for all requests of a turn',
    file: 'host/ingress/vetting.ts',
    from: 'vetted.isGood = verdicts[i] === 1;',
    to: 'vetted.isGood = verdicts[0] === 1;',
    tests: ['test/host/ingress/vetting.test.ts'],
  },
  {
    room: 'ingress',
    rule: 'the value of a header is taken for the name of another',
    file: 'host/ingress/packet-head.ts',
    from: "const VALUE = '\\r';",
    to: "const VALUE = '\\n';",
    tests: ['test/host/ingress/frames.test.ts'],
  },
  {
    room: 'ingress',
    rule: 'a long body is read before its request was admitted',
    file: 'host/ingress/remote-service.ts',
    from: 'if (most <= SHORT_BODY_BYTES) return undefined;',
    to: 'if (most > 0) return undefined;',
    tests: ['test/host/ingress/driver.test.ts'],
  },
  {
    room: 'ingress',
    rule: 'a frame that came before the end of its stream is dropped with it',
    file: 'host/ingress/remote-service.ts',
    from: 'this.#arrive({ kind: TO_NODE.closed, ticket });',
    to: 'this.#outbox.frame(TO_NODE.closed, ticket);',
    tests: ['test/host/ingress/remote.test.ts'],
  },
  {
    room: 'ingress',
    rule: 'a stream whose node does not keep up brings frames without end',
    file: 'host/ingress/remote-service.ts',
    from: 'if (stream.aheadBytes > MAX_AHEAD_BYTES) {',
    to: 'if (false as boolean) {',
    tests: ['test/host/ingress/remote.test.ts'],
  },
  {
    room: 'ingress',
    rule: 'signatures are checked for an address that was refused a moment ago',
    file: 'host/ingress/remote-service.ts',
    from: 'signed.filter((request) => !this.#isRefused(request))',
    to: 'signed',
    tests: ['test/host/ingress/remote.test.ts'],
  },
  {
    room: 'ingress',
    rule: 'a write of a batch passes those before it that still wait, behind one that was refused at once',
    file: 'host/api/batch.ts',
    from: '(previous.#isFirst && previous.#isTaken)',
    to: 'previous.#isTaken',
    tests: ['test/host/api/batch-order.test.ts'],
  },
];
