// Votes on disputes are committed, then revealed, so that no judge can echo another (protocol 15.8).

import { expect, test } from 'vitest';
import * as abi from '../../assembly/abi.ts';
import type { Command } from '../model/command.ts';
import { Core } from './driver.ts';
import { config, params } from './fixture.ts';
import { all, DISPUTE_SECS, JudgeNet, LARGE, RULES } from './judge-net.ts';

const FOR = { verdict: true };
const AGAINST = { verdict: false };

function court(judges = 9) {
  const net = new JudgeNet(9, all(judges));
  const { task, dispute } = net.open(LARGE);
  const panel = net.drawn(dispute).map((seat) => `op${seat}`);
  return { net, task, dispute, panel };
}

const itemOf = (net: JudgeNet, dispute: Command): DataView => {
  const row = net.core.query(abi.QUERY_ITEM_FIND, Buffer.from(dispute.txid, 'hex'))!;
  return net.core.queryIndex(abi.QUERY_ITEM, Number(row.getBigUint64(0, true)))!;
};

test('a direct vote on a dispute is refused', () => {
  const { net, dispute, panel } = court();
  expect(net.codes([net.verify(panel[0]!, dispute, true)])).toEqual([abi.NOT_COMMITTED]);
});

test('before its reveal a vote is a hash, has no weight and decides nothing', () => {
  const { net, task, dispute, panel } = court();
  net.run(panel.slice(0, 4).map((name) => net.commit(name, dispute, FOR)));
  const item = itemOf(net, dispute);
  expect([item.getUint32(abi.ITEM_VOTES, true), item.getUint32(abi.ITEM_COMMITTED, true)]).toEqual([0, 4]);
  expect([item.getBigUint64(abi.ITEM_APPROVE, true), item.getBigUint64(abi.ITEM_REJECT, true)]).toEqual([
    0n,
    0n,
  ]);
  expect(net.task32(task, abi.TASK_STATUS)).toBe(abi.TASK_DISPUTED);
});

test('the reveals begin when all have committed, and not before: then they end the dispute with the last one', () => {
  const { net, task, dispute, panel } = court();
  const committed = net.run(panel.slice(0, 4).map((name) => net.commit(name, dispute, FOR))).txs;
  expect(committed.map((t) => t.words.slice(2, 5))).toEqual([1n, 2n, 3n, 4n].map((n) => [n, 5n, 0n]));
  const early = net.run([net.reveal(panel[0]!, dispute, FOR)]).txs[0]!;
  expect([early.code, early.words[0]]).toEqual([abi.REVEAL_EARLY, committed[3]!.words[5]]);
  const last = net.run([net.commit(panel[4]!, dispute, AGAINST)]).txs[0]!;
  expect(last.words.slice(2, 5)).toEqual([5n, 5n, 1n]);
  net.run(panel.slice(0, 4).map((name) => net.reveal(name, dispute, FOR)));
  expect(net.task32(task, abi.TASK_STATUS)).toBe(abi.TASK_DISPUTED);
  const decided = net.run([net.reveal(panel[4]!, dispute, AGAINST)]).txs[0]!;
  expect(decided.words.slice(2, 4)).toEqual([BigInt(abi.VOTE_SETTLED), BigInt(abi.SETTLED_VERIFIED)]);
  expect(net.settled(task)).toMatchObject({ resolution: abi.RESOLUTION_DISPUTE_QUORUM });
});

test('what is revealed is what was committed, by the one who committed it', () => {
  const { net, dispute, panel } = court();
  const [first, second] = panel as [string, string];
  // The second judge sends the commitment of the first: it can never be opened under its own key.
  const copied = {
    ...net.commit(second, dispute, FOR),
    commitment: net.commit(first, dispute, FOR).commitment,
  };
  net.must(
    net.commit(first, dispute, FOR),
    copied,
    ...panel.slice(2).map((n) => net.commit(n, dispute, FOR)),
  );
  const wrong = [
    net.reveal(first, dispute, AGAINST),
    net.reveal(first, dispute, { verdict: true, share: 4 }),
    net.reveal(first, dispute, { verdict: false, ground: abi.GROUND_FRAUD }),
    { ...net.reveal(first, dispute, FOR), salt: '1'.repeat(64) },
    net.verify(first, dispute, true),
    net.reveal(second, dispute, FOR),
  ];
  expect(net.codes(wrong)).toEqual(wrong.map(() => abi.COMMITMENT_DIFFERS));
  expect(net.codes([net.reveal(first, dispute, FOR), net.reveal(first, dispute, FOR)])).toEqual([
    abi.OK,
    abi.ALREADY_VOTED,
  ]);
});

test('a ground is part of what was committed: none is added, taken away or exchanged', () => {
  const { net, dispute, panel } = court();
  const fraud = { verdict: false, ground: abi.GROUND_FRAUD };
  const copied = { verdict: false, ground: abi.GROUND_PLAGIARISM };
  const [plain, accuser] = panel as [string, string];
  net.must(
    net.commit(plain, dispute, AGAINST),
    net.commit(accuser, dispute, fraud),
    ...panel.slice(2).map((name) => net.commit(name, dispute, FOR)),
  );
  const wrong = [
    net.reveal(plain, dispute, fraud),
    net.reveal(accuser, dispute, copied),
    net.reveal(accuser, dispute, AGAINST),
  ];
  expect(net.codes(wrong)).toEqual(wrong.map(() => abi.COMMITMENT_DIFFERS));
  expect(net.codes([net.reveal(plain, dispute, AGAINST), net.reveal(accuser, dispute, fraud)])).toEqual([
    abi.OK,
    abi.OK,
  ]);
});

test('all of the worker and its share in full are one vote', () => {
  const { net, dispute, panel } = court();
  net.must(...panel.map((name) => net.commit(name, dispute, { verdict: true, share: 10 })));
  const whole = { ...net.reveal(panel[0]!, dispute, { verdict: true, share: 10 }), share: 0 };
  expect(net.codes([whole])).toEqual([abi.OK]);
});

test('a judge commits once, and not while others reveal', () => {
  const { net, dispute, panel } = court();
  const [first, late] = [panel[0]!, panel[4]!];
  net.must(...panel.slice(0, 4).map((name) => net.commit(name, dispute, FOR)));
  expect(net.codes([net.commit(first, dispute, AGAINST)])).toEqual([abi.ALREADY_VOTED]);
  net.pastVotes(dispute);
  expect(net.isRevealing(dispute)).toBe(true);
  const told = net.run([net.commit(late, dispute, FOR), net.reveal(late, dispute, FOR)]).txs;
  expect(told.map((t) => t.code)).toEqual([abi.COMMITMENTS_OVER, abi.NOT_COMMITTED]);
});

test('a vote that is not revealed is a miss and counts nowhere; the reveals take no longer than the votes', () => {
  const { net, task, dispute, panel } = court(5);
  net.must(...panel.map((name, i) => net.commit(name, dispute, i < 3 ? FOR : AGAINST)));
  net.run(panel.slice(0, 3).map((name) => net.reveal(name, dispute, FOR)));
  net.run([], DISPUTE_SECS - 2);
  expect(net.task32(task, abi.TASK_STATUS)).toBe(abi.TASK_DISPUTED);
  net.run([], 3);
  // Three of five say 10, and nobody else is left to ask.
  expect(net.settled(task)).toMatchObject({
    status: abi.PAYOUT_PAID,
    resolution: abi.RESOLUTION_DISPUTE_QUORUM,
  });
  const missed = panel.slice(3).map((name) => Number(name.slice(2)));
  expect(all(5).filter((seat) => !net.isJudge(seat))).toEqual(missed.sort());
});

test('of all validators, too, one that commits and does not reveal has missed; one that says nothing has not', () => {
  const net = new JudgeNet(6, [0, 1]);
  const { task, dispute } = net.open(LARGE, { noQuorum: abi.NO_QUORUM_WORKER });
  net.must(net.commit('op0', dispute, FOR));
  net.pastVotes(dispute);
  net.pastVotes(dispute);
  expect(net.settled(task)).toMatchObject({ resolution: abi.RESOLUTION_DISPUTE_DEADLINE });
  expect([net.isJudge(0), net.isJudge(1)]).toEqual([false, true]);
});

// Where all validators judge, those in probation may vote, and their votes count for nothing but their probation.
test('a vote that counts nowhere holds up nothing: a minute after the last one that counts, the votes end', () => {
  const net = new JudgeNet([{}, {}, {}, { status: abi.VALIDATOR_PROBATION }], []);
  const open = () => {
    const { task, dispute } = net.open(LARGE);
    net.must(...[3, 0, 1, 2].map((seat) => net.commit(`op${seat}`, dispute, FOR)));
    expect(net.isRevealing(dispute)).toBe(true);
    net.must(...all(3).map((seat) => net.reveal(`op${seat}`, dispute, FOR)));
    return { task, dispute };
  };
  const held = open();
  expect(net.task32(held.task, abi.TASK_STATUS)).toBe(abi.TASK_DISPUTED);
  net.run([], 58);
  expect(net.task32(held.task, abi.TASK_STATUS)).toBe(abi.TASK_DISPUTED);
  net.run([], 2);
  expect(net.settled(held.task)).toMatchObject({ resolution: abi.RESOLUTION_DISPUTE_QUORUM });
  const { task, dispute } = open();
  net.must(net.reveal('op3', dispute, FOR));
  expect(net.settled(task)).toMatchObject({ resolution: abi.RESOLUTION_DISPUTE_QUORUM });
});

test('where only votes that count nowhere were committed, the reveals last a minute', () => {
  const net = new JudgeNet([{}, {}, {}, { status: abi.VALIDATOR_PROBATION }], []);
  const { task, dispute } = net.open(LARGE, { noQuorum: abi.NO_QUORUM_WORKER });
  net.must(net.commit('op3', dispute, FOR));
  net.pastVotes(dispute);
  expect(net.isRevealing(dispute)).toBe(true);
  net.run([], 60);
  expect(net.settled(task)).toMatchObject({ resolution: abi.RESOLUTION_DISPUTE_DEADLINE });
});

test('the second time is committed and revealed likewise, and the votes of the panel stay', () => {
  const { net, task, dispute, panel } = court();
  net.votes(dispute, net.drawn(dispute), (i) => ({ verdict: i < 2 }));
  expect(net.task32(task, abi.TASK_PANELS)).toBe(2);
  const others = all(9)
    .map((seat) => `op${seat}`)
    .filter((name) => !panel.includes(name));
  expect(net.codes([net.verify(others[0]!, dispute, true)])).toEqual([abi.NOT_COMMITTED]);
  net.must(...others.map((name) => net.commit(name, dispute, FOR)));
  expect(itemOf(net, dispute).getUint32(abi.ITEM_VOTES, true)).toBe(5);
  net.run(others.map((name) => net.reveal(name, dispute, FOR)));
  expect(net.settled(task)).toMatchObject({
    status: abi.PAYOUT_PAID,
    resolution: abi.RESOLUTION_DISPUTE_QUORUM,
  });
});

test('a judge that is withdrawn between the two still reveals, and counts as before', () => {
  const { net, dispute, panel } = court();
  net.votes(dispute, net.drawn(dispute), (i) => ({ verdict: i < 2 }));
  const others = all(9).filter((seat) => !panel.includes(`op${seat}`));
  net.must(...others.map((seat) => net.commit(`op${seat}`, dispute, FOR)));
  net.must(net.announce(others[0]!, false), net.reveal(`op${others[0]}`, dispute, FOR));
  expect(itemOf(net, dispute).getBigUint64(abi.ITEM_PARTICIPANTS, true)).toBe(6n);
});

// One dispute about which nobody says anything withdraws every judge: those that are bought say something, and would then be
// the only ones that are left in every other dispute.
test('judges that miss a small dispute keep their votes in a large one', () => {
  const { net, task, dispute } = court();
  const drawn = net.drawn(dispute);
  const bought = drawn.slice(0, 2);
  const honest = all(9).filter((seat) => !bought.includes(seat));
  net.votes(dispute, drawn, (i) => (i < 2 ? FOR : AGAINST));
  expect(net.task32(task, abi.TASK_PANELS)).toBe(2);
  const others = honest.filter((seat) => !drawn.includes(seat));
  net.must(...others.map((seat) => net.commit(`op${seat}`, dispute, AGAINST)));
  net.must(...honest.map((seat) => net.announce(seat, false)));
  net.run(others.map((seat) => net.reveal(`op${seat}`, dispute, AGAINST)));
  expect(net.settled(task)).toMatchObject({ refund: LARGE, resolution: abi.RESOLUTION_DISPUTE_QUORUM });
});

test('only votes on disputes are committed', () => {
  const net = new JudgeNet(3, []);
  const claim = net.generation('worker', 5n);
  net.must(claim);
  const told = net.run([net.commit('op0', claim, FOR), net.reveal('op0', claim, FOR)]).txs;
  const reason = BigInt(abi.REASON_COMMITMENT);
  expect(told.map((t) => [t.code, t.words[0]])).toEqual([
    [abi.INVALID_REQUEST, reason],
    [abi.INVALID_REQUEST, reason],
  ]);
});

test('commitments are in a snapshot, and go with the dispute', () => {
  const { net, dispute, panel } = court();
  net.must(...panel.slice(0, 3).map((name) => net.commit(name, dispute, FOR)));
  const copy = new Core(config({ params: params(RULES) }));
  expect(copy.load(net.core.dirty())).toBe(0);
  expect(copy.stateHash()).toBe(net.core.stateHash());
  net.pastVotes(dispute);
  net.pastVotes(dispute);
  net.pastVotes(dispute);
  expect(net.core.query(abi.QUERY_ITEM_FIND, Buffer.from(dispute.txid, 'hex'))).toBeUndefined();
});
