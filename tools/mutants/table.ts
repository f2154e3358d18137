// The rules that `npm run mutants` breaks, one at a time, and the tests that must notice.

import { CONTRACTS } from './contracts.ts';
import { ENGINE } from './engine.ts';
import { KERNEL } from './kernel.ts';
import type { Mutant } from './mutant.ts';
import { SEALED } from './sealed.ts';
import { STREAM_WRITES } from './stream-writes.ts';
import { VOTES } from './votes.ts';

const ORDERING: readonly Mutant[] = [
  {
    room: 'ordering',
    rule: 'requests of void vertices are executed',
    file: 'host/ordering/ordering.ts',
    from: 'runs && !isVoid ?',
    to: 'runs ?',
    tests: ['test/host/ordering/epochs.test.ts', 'test/world/equivocation.long.ts'],
  },
  {
    room: 'ordering',
    rule: 'requests of dead vertices are not packed again',
    file: 'host/ordering/ordering.ts',
    from: '...dead.flatMap((vertex) => entriesToRepack(vertex, this.options.seat)),',
    to: '',
    tests: ['test/host/ordering/epochs.test.ts', 'test/sim/epochs.test.ts'],
  },
  {
    room: 'epochs',
    rule: 'a change of the seats does not seal the epoch early',
    file: 'host/ordering/epoch.ts',
    from: ' || isChangeWaiting();',
    to: ' || (false && isChangeWaiting());',
    tests: ['test/host/ordering/epochs.test.ts'],
  },
  {
    room: 'epochs',
    rule: 'the order goes on beyond a seal before that is stored',
    file: 'host/ordering/ordering.ts',
    from: 'this.#isPausedAtSeal = this.#pausesAtSeals;',
    to: 'this.#isPausedAtSeal = false;',
    tests: ['test/host/net/join.test.ts', 'test/host/net/network.test.ts', 'test/world/world.test.ts'],
  },
  {
    room: 'evidence',
    rule: 'proofs from the epoch before are not judged',
    file: 'host/ordering/ordering.ts',
    from: 'this.#epochBefore ? [this.epoch, this.#epochBefore] : [this.epoch]',
    to: '[this.epoch]',
    tests: ['test/host/ordering/epochs.test.ts'],
  },
  {
    room: 'evidence',
    rule: 'one good signature is enough for a proof of equivocation',
    file: 'host/ordering/proof-judge.ts',
    from: '.every((isGood) => isGood === 1)',
    to: '.some((isGood) => isGood === 1)',
    tests: ['test/host/ordering/epochs.test.ts', 'test/sim/epochs.test.ts'],
  },
  {
    room: 'emission',
    rule: 'a seat seen to fork is chosen as a parent',
    file: 'host/ordering/frontier.ts',
    from: "if (kind === 'repeated') this.cheaters.add(creator);",
    to: '',
    tests: ['test/host/ordering/frontier.test.ts', 'test/sim/network.test.ts'],
  },
  {
    room: 'emission',
    rule: 'no vertex merges the witnesses of a quorum that are spread over too many heads',
    file: 'host/ordering/emission.ts',
    from: 'return view.quorumWitnesses(preview.round);',
    to: 'return false;',
    tests: ['test/sim/emission.test.ts'],
  },
  {
    room: 'emission',
    rule: 'payload is sent whatever the age of the consensus time',
    file: 'host/ordering/emission.ts',
    from: 'const STALE_MS = 4500;',
    to: 'const STALE_MS = Number.POSITIVE_INFINITY;',
    tests: ['test/host/ordering/emission.test.ts', 'test/sim/emission.test.ts'],
  },
];

/** What random worlds look at: answers against the plain model, rounds until all is live, seats that are removed. */
const WORLD: readonly Mutant[] = [
  {
    room: 'answers',
    rule: 'a balance shows less money on hold than there is',
    file: 'host/api/handlers/agents.ts',
    from: '  staked_amount: staked,\n  reserved,',
    to: '  staked_amount: staked,\n  reserved: 0 * reserved,',
    tests: ['test/world/along.test.ts'],
  },
  {
    room: 'answers',
    rule: 'the core gives a task to a second claimer',
    file: 'assembly/tasks/claims.ts',
    from: 'if (task.status != TASK_OPEN) return refuse(TASK_STATE);',
    to: 'if (task.status != TASK_OPEN && task.status != TASK_CLAIMED) return refuse(TASK_STATE);',
    tests: ['test/world/along.test.ts'],
  },
  {
    room: 'silence',
    rule: 'nobody is silent for long enough to lose weight',
    file: 'assembly/validators/silence.ts',
    from: 'if (!isSilentLongEnough(seat)) return;',
    to: 'if (seat.silentFrom != 0) return;',
    tests: ['test/world/dead-seat.test.ts'],
  },
  {
    room: 'emission',
    rule: 'payload waits for sixty rounds, however fresh the time',
    file: 'host/ordering/emission.ts',
    from: 'if (isFresh || (this.wakeWitnesses ?? 0) >= WAKE_WITNESSES)',
    to: 'if ((this.wakeWitnesses ?? 0) >= 20 * WAKE_WITNESSES)',
    tests: ['test/world/rounds.test.ts'],
  },
];

const CLOCK: readonly Mutant[] = [
  {
    room: 'clock',
    rule: 'one seat alone sets the clock of another',
    file: 'host/ordering/epoch.ts',
    from: '1000n * weightOf(epoch, seats) > 333n * totalWeight(epoch);',
    to: 'weightOf(epoch, seats) > 0n;',
    tests: ['test/host/ordering/guarded-clock.test.ts', 'test/host/net/catch-up.test.ts'],
  },
  {
    room: 'clock',
    rule: 'a jump of the wall clock is followed at once',
    file: 'host/ordering/guarded-clock.ts',
    from: 'const HOLD_MS = 60_000;',
    to: 'const HOLD_MS = 0;',
    tests: ['test/host/ordering/guarded-clock.test.ts', 'test/world/clocks.test.ts'],
  },
];

const NETWORK: readonly Mutant[] = [
  {
    room: 'serving',
    rule: 'the vertices of sealed epochs are not given',
    file: 'host/net/vertex-server.ts',
    from: 'if (epoch > running) return undefined;',
    to: 'if (epoch !== running) return undefined;',
    tests: ['test/host/net/vertex-server.test.ts', 'test/world/world.test.ts'],
  },
  {
    room: 'serving',
    rule: 'what the asker has ordered is left out one vertex too far',
    file: 'host/net/vertex-server.ts',
    from: 'return own > 0 && own <= order;',
    to: 'return own > 0 && own <= order + 1;',
    tests: ['test/host/net/vertex-server.test.ts', 'test/host/net/network.test.ts'],
  },
  {
    room: 'catch-up',
    rule: 'the vertices of a second branch are never asked for',
    file: 'host/net/catch-up.ts',
    from: 'const isWhole = mayBeWhole && hadWaiting;',
    to: 'const isWhole = false && mayBeWhole;',
    tests: ['test/host/net/catch-up.test.ts', 'test/world/equivocation.long.ts'],
  },
  {
    room: 'catch-up',
    rule: 'a peer that has nothing of what it claims is asked again at once',
    file: 'host/net/catch-up.ts',
    from: 'else if (isNothing && asked.cursor === 0) this.#rest(peer);',
    to: '',
    tests: ['test/host/net/catch-up.test.ts'],
  },
  {
    room: 'waiting room',
    rule: 'a full room refuses what comes instead of letting go what is highest',
    file: 'host/net/waiting-room.ts',
    from: 'if (!highest || (',
    to: 'if (true || !highest || (',
    tests: ['test/host/net/inbox-bounds.test.ts', 'test/world/equivocation.long.ts'],
  },
  {
    room: 'waiting room',
    rule: 'what is below a needed vertex is not needed',
    file: 'host/net/fork-needs.ts',
    from: 'open.push(...(this.#parents.get(key) ?? []));',
    to: '',
    tests: ['test/host/net/inbox-bounds.test.ts', 'test/world/equivocation.long.ts'],
  },
];

const JUNK: readonly Mutant[] = [
  {
    room: 'junk',
    rule: 'nobody is held back, whatever a seat signs',
    file: 'host/net/holding.ts',
    from: 'return isTooMuch && !this.#isOff() && this.#isDispensable(seat);',
    to: 'return false && isTooMuch;',
    tests: ['test/host/net/holding.test.ts'],
  },
  {
    room: 'junk',
    rule: 'a seat is held back although there is no quorum without it',
    file: 'host/net/holding.ts',
    from: '!this.#isOff() && this.#isDispensable(seat);',
    to: '!this.#isOff();',
    tests: ['test/host/net/holding.test.ts'],
  },
];

const JOINING: readonly Mutant[] = [
  {
    room: 'joining',
    rule: 'the seat table of a seal is not compared with the signed digest',
    file: 'host/net/join-seals.ts',
    from: 'if (!equalBytes(opened.digest, statement.manifestDigest))',
    to: 'if (false)',
    tests: ['test/host/net/join-seals.test.ts'],
  },
  {
    room: 'joining',
    rule: 'forged signatures of a seal count',
    file: 'host/net/join-seals.ts',
    from: 'const bad = fresh.find((_, i) => verdicts[i] !== 1);',
    to: 'const bad = fresh.find((_, i) => verdicts[i] === 7);',
    tests: ['test/host/net/join-seals.test.ts'],
  },
  {
    room: 'joining',
    rule: 'an epoch passes for opened without vertices of an honest seat',
    file: 'host/net/join-seals.ts',
    from: 'return 3n * weightOf(epoch, seats) > totalWeight(epoch);',
    to: 'return true;',
    tests: ['test/host/net/join-seals.test.ts', 'test/host/net/join.test.ts'],
  },
  {
    room: 'joining',
    rule: 'the root of the state that was received is not compared with the signed one',
    file: 'host/net/join-documents.ts',
    from: 'if (!equalBytes(root, signed)) {',
    to: 'if (false) {',
    tests: ['test/host/net/join.test.ts'],
  },
  {
    room: 'checkpoints',
    rule: 'signatures of seats without weight count',
    file: 'host/net/checkpoint-exchange.ts',
    from: 'if (!row || row.weight === 0n) return false;',
    to: 'if (!row) return false;',
    tests: ['test/host/net/checkpoint-exchange.test.ts'],
  },
];

const START: readonly Mutant[] = [
  {
    room: 'recovery',
    rule: 'blocks of the log are not compared when they are made again',
    file: 'host/execution/replay.ts',
    from: 'if (!equalBytes(stored, blockRow(block)))',
    to: 'if (false)',
    tests: ['test/host/execution/restart.test.ts'],
  },
  {
    room: 'recovery',
    rule: 'the root of a snapshot is not compared',
    file: 'host/execution/recovery.ts',
    from: 'if (root !== mark.root) {',
    to: 'if (false) {',
    tests: ['test/host/execution/restart.test.ts'],
  },
  {
    room: 'recovery',
    rule: 'the checksum of a page of the snapshot is not compared',
    file: 'host/store/state-pages.ts',
    from: 'if (!equalBytes(sha256(both), row.subarray(-SUM_BYTES))) return undefined;',
    to: '',
    tests: ['test/host/execution/restart.test.ts'],
  },
  {
    room: 'recovery',
    rule: 'what a fresh core has stays where a page of the snapshot is missing',
    file: 'assembly/run/snapshot.ts',
    from: 'memory.fill(leafAt(<u32>leaf), 0, LEAF_BYTES);',
    to: '',
    tests: ['test/core/snapshot.test.ts'],
  },
  {
    room: 'joining',
    rule: 'the hashes in the pages of a peer are believed',
    file: 'host/net/join-store.ts',
    from: 'if (!equalBytes(hashes, core.page(number).hashes))',
    to: 'if (false)',
    tests: ['test/host/net/join.test.ts'],
  },
  {
    room: 'views',
    rule: 'a listing that changes while the lists are built stays as it was read',
    file: 'host/views/market/market.ts',
    from: 'this.#changedListings.delete(agent);\n        this.#putListing(agent);',
    to: 'this.#changedListings.delete(agent);',
    tests: ['test/host/views/market/start.test.ts'],
  },
  {
    room: 'gate',
    rule: 'an intact store signs without asking its peers',
    file: 'host/ordering/vertex-gate.ts',
    from: "stored.until > options.progress().epoch.number ? 'waiting' : 'confirming' };",
    to: "stored.until > options.progress().epoch.number ? 'waiting' : 'open' };",
    tests: ['test/host/ordering/vertex-gate.test.ts', 'test/sim/network.test.ts'],
  },
  {
    room: 'gate',
    rule: 'a lost store is used again after the first seal, not the second',
    file: 'host/ordering/vertex-gate.ts',
    from: 'return 2 + (this.#claims.isEmpty',
    to: 'return 1 + (this.#claims.isEmpty',
    tests: ['test/host/ordering/vertex-gate.test.ts'],
  },
  {
    room: 'gate',
    rule: 'an unknown vertex of the own seat does not shut the gate',
    file: 'host/sequencer/sequencer.ts',
    from: 'if (unknown !== undefined) await gate.onUnknownOwnVertex(unknown);',
    to: 'void unknown;',
    tests: ['test/world/restored.long.ts'],
  },
  {
    room: 'gate',
    rule: 'a seat resumes although the others can sign without it',
    file: 'host/ordering/vertex-gate.ts',
    from: 'if (!isHeard || this.#claims.isOpenQuorum(epoch) ||',
    to: 'if (!isHeard ||',
    tests: ['test/host/ordering/vertex-gate.test.ts', 'test/world/restored.long.ts'],
  },
  {
    room: 'gate',
    rule: 'a seat that lost vertices resumes in the incarnation that it had',
    file: 'host/ordering/vertex-gate.ts',
    from: 'startIncarnation(incarnation, resumed.until);',
    to: '',
    tests: ['test/host/ordering/vertex-gate.test.ts', 'test/world/restored.long.ts'],
  },
  {
    room: 'sequencer',
    rule: 'vertices leave before the last-signed record is on disk',
    file: 'host/sequencer/sequencer.ts',
    from: 'signed && gate.onSigned(signed)]',
    to: 'void (signed && gate.onSigned(signed))]',
    tests: ['test/host/sequencer/signed-record.test.ts'],
  },
  {
    room: 'sequencer',
    rule: 'vertices leave and writers are answered before the batch is on disk',
    file: 'host/execution/executor.ts',
    from: 'await this.options.store.write(ops);',
    to: 'void this.options.store.write(ops);',
    tests: ['test/world/world.test.ts'],
  },
];

const DOCUMENTS: readonly Mutant[] = [
  {
    room: 'documents',
    rule: 'memory of a branch is used again while the branch is remembered',
    file: 'host/store/document-tree.ts',
    from: 'if (this.#newer.get(name) !== branch) this.#spare',
    to: 'this.#spare',
    tests: ['test/host/store/document-root.test.ts'],
  },
  {
    room: 'documents',
    rule: 'a document that changed since the last root is kept as it was in between',
    file: 'host/store/document-root.ts',
    from: 'return this.keeps && this.#pending.placeOf(key) < 0;',
    to: 'return this.keeps;',
    tests: ['test/host/store/document-root.test.ts'],
  },
  {
    room: 'documents',
    rule: 'a row that was put again in its batch counts twice',
    file: 'host/world/packed-rows.ts',
    from: 'this.#bytes[old + 4 + key.length] = OVERWRITTEN;',
    to: '',
    tests: ['test/host/world/packed-rows.test.ts'],
  },
];

export const MUTANTS: readonly Mutant[] = [
  ...ENGINE,
  ...DOCUMENTS,
  ...ORDERING,
  ...WORLD,
  ...CLOCK,
  ...NETWORK,
  ...JUNK,
  ...JOINING,
  ...START,
  ...VOTES,
  ...SEALED,
  ...CONTRACTS,
  ...KERNEL,
  ...STREAM_WRITES,
];
