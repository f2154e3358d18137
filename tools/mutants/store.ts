// Broken rules of the store: what a crash leaves of it, and what a start makes of that.

import type { Mutant } from './mutant.ts';

const LOG_CHECK = ['test/host/world/log-check.test.ts'];

export const STORE: readonly Mutant[] = [
  {
    room: 'store',
    rule: 'bytes in a torn record are taken for a later one whatever their number',
    file: 'host/world/system/log-check.ts',
    from: 'next === undefined || (rows.first >= next && rows.first - next <= bytesBetween / MIN_ROW_BYTES);',
    to: 'true;',
    tests: LOG_CHECK,
  },
  {
    room: 'store',
    rule: 'a record without a head is taken for a later one',
    file: 'host/world/system/log-check.ts',
    from: 'return rows !== undefined && canFollow(rows, next, bytesBetween) && isWhole(log, at, form);',
    to: 'return (rows === undefined || canFollow(rows, next, bytesBetween)) && isWhole(log, at, form);',
    tests: LOG_CHECK,
  },
  {
    room: 'store',
    rule: 'behind a torn record every byte costs the checksum of what could begin there',
    file: 'host/world/system/log-check.ts',
    from: 'canFollow(rows, next, bytesBetween) && isWhole(log, at, form);',
    to: 'isWhole(log, at, form) && canFollow(rows, next, bytesBetween);',
    tests: LOG_CHECK,
  },
  {
    room: 'store',
    rule: 'no record behind a bad one is found',
    file: 'host/world/system/log-check.ts',
    from: 'rows.first - next <= bytesBetween / MIN_ROW_BYTES',
    to: 'rows.first < next',
    tests: LOG_CHECK,
  },
  {
    room: 'store',
    rule: 'a node is started between the two renames of vws reindex',
    file: 'host/world/system/open-store.ts',
    from: 'if (isHalfReindexed(dataDir)) throw new StoreError(HALF_REINDEXED);',
    to: '',
    tests: ['test/host/world/open-store.test.ts'],
  },
  {
    room: 'store',
    rule: 'a node without peers begins a new history where a restore was interrupted',
    file: 'host/node/join.ts',
    from: 'if (config.peers.length === 0 && !config.discover) throw new StoreError(NO_WAY_ON);',
    to: '',
    tests: ['test/world/snapshot.test.ts'],
  },
  {
    room: 'store',
    rule: 'a failing node says for certain that what it was writing will not execute',
    file: 'host/sequencer/sequencer.ts',
    from: 'queued.has(flight) ? notReady(STOPPING)',
    to: 'true ? notReady(STOPPING)',
    tests: ['test/host/sequencer/no-quorum.test.ts'],
  },
  {
    room: 'store',
    rule: 'a start goes on in another state than the one that was signed',
    file: 'host/execution/replay.ts',
    from: 'if (toHex(this.state.core.stateHash()) !== signed.core_root) throw anotherState(signed.height);',
    to: '',
    tests: ['test/host/execution/restart.test.ts'],
  },
  {
    room: 'store',
    rule: 'a node that stops drops the writes that it has taken',
    file: 'host/sequencer/sequencer.ts',
    from: 'await this.#waits.over(LAST_WRITES_MS);',
    to: '',
    tests: ['test/world/stop.test.ts'],
  },
  {
    room: 'store',
    rule: 'a node whose write failed shows what it did not write',
    file: 'host/sequencer/sequencer.ts',
    from: 'this.#batch = batch.catch(() => NEVER);',
    to: 'this.#batch = batch.catch(() => {});',
    tests: ['test/host/sequencer/no-quorum.test.ts'],
  },
];
