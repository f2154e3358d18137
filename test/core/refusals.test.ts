// What a refusal leaves behind: nothing, or exactly the memory of its TxID (protocol 1.8).

import { expect, test } from 'vitest';
import * as abi from '../../assembly/abi.ts';
import { type Command, command, toRecord } from '../model/command.ts';
import { hash, key, Net, params, TOKEN } from './fixture.ts';

// Two equal networks run the same vertex, one with a command, one with an entry that does not parse.
// When the command is refused without consuming its TxID, both end in the same state.
function leavesNothing(prepare: (net: Net) => Command, over = {}): number {
  const hashes: string[] = [];
  let code = -1;
  for (const isInvalid of [false, true]) {
    const net = new Net([{}], over);
    net.run([net.register('a', 1000n * TOKEN), net.register('b')]);
    const c = prepare(net);
    const { txs } = net.run([isInvalid ? command(abi.OP_INVALID, { txid: hash('noise') }) : c]);
    if (!isInvalid) code = txs[0]!.code;
    hashes.push(net.core.stateHash());
  }
  expect(hashes[0]).toBe(hashes[1]);
  return code;
}

test('refusals before the TxID counts leave the state of an entry that does not parse', () => {
  const unsignedOff = { params: params({ [abi.PARAM_ALLOW_UNSIGNED]: 0 }) };
  const cases: [number, (net: Net) => Command, object?][] = [
    [abi.TX_EXPIRED, (net) => ({ ...net.transfer('a', 'b', 1n), lastSecond: 1_800_000_001 })],
    [abi.TX_EXPIRED, (net) => ({ ...net.transfer('a', 'b', 1n), lastSecond: 1_800_003_743 })],
    [
      abi.AUTH_REQUIRED,
      (net) => ({ ...net.transfer('a', 'b', 1n), auth: abi.AUTH_UNSIGNED, seat: 0 }),
      unsignedOff,
    ],
    [abi.AUTH_REQUIRED, (net) => ({ ...net.transfer('a', 'b', 1n), auth: abi.AUTH_UNSIGNED, seat: 7 })],
    [abi.AUTH_REQUIRED, (net) => ({ ...net.register('c'), auth: abi.AUTH_REQUEST_V1 })],
    [
      abi.AUTH_REQUIRED,
      (net) => ({ ...net.transfer('a', 'b', 1n), auth: abi.AUTH_REQUEST_V1 }),
      { testnet: false },
    ],
    [abi.INVALID_API_KEY, (net) => ({ ...net.transfer('a', 'b', 1n), auth: abi.AUTH_API_KEY, seat: 0 })],
    [abi.ALREADY_REGISTERED, (net) => net.register('a')],
    [abi.INVALID_REQUEST, (net) => net.register('c', 50_001n * TOKEN)],
  ];
  for (const [code, prepare, over] of cases) expect(leavesNothing(prepare, over)).toBe(code);
});

test('a repeated TxID is refused and leaves nothing; a registration is never a duplicate', () => {
  const run = (repeat: boolean): [number, string] => {
    const net = new Net();
    const c = net.transfer('a', 'b', 1n);
    net.run([net.register('a', 1000n * TOKEN), net.register('b'), c]);
    const { txs } = net.run([repeat ? c : command(abi.OP_INVALID, { txid: hash('noise') })]);
    return [txs[0]!.code, net.core.stateHash()];
  };
  const [duplicate, noise] = [run(true), run(false)];
  expect(duplicate[0]).toBe(abi.DUPLICATE_TX);
  expect(duplicate[1]).toBe(noise[1]);

  const net = new Net();
  const c = net.register('a');
  expect(net.codes([c, c])).toEqual([abi.OK, abi.ALREADY_REGISTERED]);
});

test('a command refused at execution consumes its TxID for 600 seconds', () => {
  const net = new Net();
  net.run([net.register('a', 1000n * TOKEN), net.register('b')]);
  const c = net.transfer('a', 'b', 2000n * TOKEN);
  expect(net.codes([c])).toEqual([abi.TRUST_LIMIT_EXCEEDED]);
  expect(net.codes([c], 599)).toEqual([abi.DUPLICATE_TX]);
  expect(net.codes([c], 1)).toEqual([abi.TRUST_LIMIT_EXCEEDED]);
});

test('a full TxID window refuses with CAPACITY and consumes nothing', () => {
  const net = new Net([{}], { capacities: [100, 100, 100, 3, 10, 100, 10, 20] });
  net.run([net.register('a', 1000n * TOKEN), net.register('b')]);
  const four = Array.from({ length: 4 }, () => net.transfer('a', 'b', 1n));
  const { txs } = net.run(four);
  expect(txs.map((t) => t.code)).toEqual([abi.OK, abi.OK, abi.OK, abi.CAPACITY]);
  expect(txs[3]!.words[0]).toBe(BigInt(abi.TABLE_TXIDS));
  expect(net.codes([four[3]!], 600)).toEqual([abi.OK]);
});

test('a dry run changes nothing and sees the time it is given', () => {
  const net = new Net();
  net.run([net.register('a', 1000n * TOKEN), net.register('b'), net.cmd(abi.OP_FAUCET, 'a')]);
  const before = net.core.stateHash();
  const now = net.nowMs / 1000;
  const faucet = toRecord(net.cmd(abi.OP_FAUCET, 'a'));
  expect(net.core.check(faucet, now)).toMatchObject({ code: abi.FAUCET_COOLDOWN });
  expect(net.core.check(faucet, now).words[0]).toBe(86_400n);
  expect(net.core.check(faucet, now + 86_400).code).toBe(abi.OK);
  const late = toRecord({ ...net.transfer('a', 'b', 1n), lastSecond: now });
  expect([net.core.check(late, now).code, net.core.check(late, now + 1).code]).toEqual([
    abi.OK,
    abi.TX_EXPIRED,
  ]);
  expect(net.core.stateHash()).toBe(before);
  expect(net.core.header(abi.HEADER_TXIDS)).toBe(1n);
});

test('API keys act for their owner at their seat within their scopes (5.5)', () => {
  const net = new Net([{}, {}]);
  const newKey = {
    id: 5n,
    hash: new Uint8Array(32),
    scopes: abi.SCOPE_TRANSFERS,
    hourlyLimit: 9,
    expires: 0,
    seat: 0,
  };
  net.run([net.register('a', 1000n * TOKEN), net.register('b'), net.cmd(abi.OP_KEY_CREATE, 'a', { newKey })]);
  const withKey = (c: Command, seat = 0): Command => ({ ...c, auth: abi.AUTH_API_KEY, keyId: 5n, seat });
  const { txs } = net.run([
    withKey(net.transfer('a', 'b', 1n)),
    withKey(net.transfer('a', 'b', 1n), 1),
    withKey(net.transfer('b', 'a', 1n)),
    withKey(net.cmd(abi.OP_STAKE, 'a', { amount: 1n })),
    withKey(net.cmd(abi.OP_KEY_CREATE, 'a', { newKey })),
    withKey(net.register('c')),
    net.cmd(abi.OP_KEY_REVOKE, 'b', { newKey }),
    net.cmd(abi.OP_KEY_REVOKE, 'a', { newKey }),
    withKey(net.transfer('a', 'b', 1n)),
  ]);
  expect(txs.map((t) => t.code)).toEqual([
    abi.OK,
    abi.INVALID_API_KEY,
    abi.INVALID_API_KEY,
    abi.INSUFFICIENT_SCOPE,
    abi.AUTH_REQUIRED,
    abi.AUTH_REQUIRED,
    abi.FORBIDDEN_ACTOR,
    abi.OK,
    abi.INVALID_API_KEY,
  ]);
  expect(txs[3]!.words[0]).toBe(BigInt(abi.SCOPE_STAKING));
});

test('a request runs from its first second to its last one, both included (5.3)', () => {
  const net = new Net();
  net.run([net.register('a', 1000n * TOKEN), net.register('b')]);
  const at = net.nowMs / 1000 + 1000;
  const c = { ...net.transfer('a', 'b', 1n), lastSecond: at + 240, windowSecs: 240 };
  const { txs } = net.run([c], 999);
  expect([txs[0]!.code, txs[0]!.words[0]]).toEqual([abi.TX_EXPIRED, BigInt(abi.WINDOW_AHEAD)]);
  expect(net.codes([c], 1)).toEqual([abi.OK]);
  const late = { ...net.transfer('a', 'b', 1n), lastSecond: at + 10, windowSecs: 240 };
  expect(net.codes([late], 10)).toEqual([abi.OK]);
  const over = { ...net.transfer('a', 'b', 1n), lastSecond: at + 10, windowSecs: 240 };
  const past = net.run([over]).txs[0]!;
  expect([past.code, past.words[0]]).toEqual([abi.TX_EXPIRED, BigInt(abi.WINDOW_PAST)]);
});

test('an event or task that exists is not made again, even when its TxID is forgotten (1.8)', () => {
  const net = new Net([{}], { params: params({ [abi.PARAM_VERIFICATION_DEADLINE_SECS]: 100_000 }) });
  net.run([net.register('a', 1000n * TOKEN), net.register('b')]);
  const made = [
    net.transfer('a', 'b', 1n),
    net.generation('a', 5n),
    net.cmd(abi.OP_TASK_CREATE, 'a', { amount: TOKEN }),
  ];
  expect(net.codes(made)).toEqual([abi.OK, abi.OK, abi.OK]);
  const balance = net.agent('a', abi.AGENT_BALANCE);
  expect(net.codes(made, 700)).toEqual([abi.DUPLICATE_TX, abi.DUPLICATE_TX, abi.DUPLICATE_TX]);
  expect(net.core.check(toRecord(made[0]!), net.nowMs / 1000).code).toBe(abi.DUPLICATE_TX);
  expect(net.agent('a', abi.AGENT_BALANCE)).toBe(balance);
});

test('nothing unsigned is valid in a chain of several seats, whatever its parameters say (5.7)', () => {
  const over = { params: params({ [abi.PARAM_ALLOW_UNSIGNED]: 1, [abi.PARAM_LEGACY_OPEN_COORDINATION]: 1 }) };
  const codes = [[{}], [{}, {}]].map((seats) => {
    const net = new Net(seats, over);
    net.run([net.register('a', 1000n * TOKEN)]);
    const by = { auth: abi.AUTH_UNSIGNED, seat: 0 };
    return net.codes([
      { ...net.cmd(abi.OP_STAKE, 'a', { amount: 1n }), ...by },
      { ...net.cmd(abi.OP_SERVICE_LIST, 'a'), ...by },
    ]);
  });
  expect(codes).toEqual([
    [abi.OK, abi.OK],
    [abi.AUTH_REQUIRED, abi.AUTH_REQUIRED],
  ]);
});

test('an hour of an API key begins with its first use, and has no more uses than the key allows (5.5)', () => {
  const net = new Net();
  const newKey = { id: 5n, hash: new Uint8Array(32), scopes: 1, hourlyLimit: 2, expires: 0, seat: 0 };
  net.run([net.register('a', 1000n * TOKEN), net.cmd(abi.OP_KEY_CREATE, 'a', { newKey })]);
  const use = (amount = 1n): Command => ({
    ...net.cmd(abi.OP_STAKE, 'a', { amount }),
    auth: abi.AUTH_API_KEY,
    keyId: 5n,
    seat: 0,
  });
  // A use that the operation refuses counts as well.
  expect(net.codes([use(), use(2n ** 53n - 1n), use()], 100)).toEqual([
    abi.OK,
    abi.INSUFFICIENT_BALANCE,
    abi.KEY_RATE,
  ]);
  const { txs } = net.run([use()], 3599);
  expect([txs[0]!.code, txs[0]!.words[0]]).toEqual([abi.KEY_RATE, 1n]);
  expect(net.codes([use(), use(), use()], 1)).toEqual([abi.OK, abi.OK, abi.KEY_RATE]);
});

test('a key is revoked by its owner or the operator of its seat, by nobody else (4.9)', () => {
  const net = new Net();
  const newKey = { id: 5n, hash: new Uint8Array(32), scopes: 1, hourlyLimit: 9, expires: 0, seat: 0 };
  net.run([net.register('a'), net.register('b'), net.cmd(abi.OP_KEY_CREATE, 'a', { newKey })]);
  expect(net.codes(['b', 'op0', 'a'].map((name) => net.cmd(abi.OP_KEY_REVOKE, name, { newKey })))).toEqual([
    abi.FORBIDDEN_ACTOR,
    abi.OK,
    abi.KEY_NOT_FOUND,
  ]);
  // The row has left the owner's chain.
  const again = { ...newKey, id: 6n };
  expect(net.codes([net.cmd(abi.OP_KEY_CREATE, 'a', { newKey: again })])).toEqual([abi.OK]);
});

test('no agent registers the id of a validator or seat (4.1)', () => {
  const net = new Net([{}, { status: abi.NO_STATUS }]);
  const squat = (id: string): Command =>
    net.cmd(abi.OP_REGISTER, 'x', { publicKey: key('x'), id, amount: 0n });
  const { txs } = net.run([squat('v0'), squat('v1'), squat('v2')]);
  expect(txs.map((t) => t.code)).toEqual([abi.INVALID_REQUEST, abi.INVALID_REQUEST, abi.OK]);
  expect(txs[0]!.words[0]).toBe(BigInt(abi.REASON_VALIDATOR_ID));
});

test('a free-form id is found by its agent key and by its public key, and both are taken (4.1)', () => {
  const net = new Net();
  const bob = net.cmd(abi.OP_REGISTER, 'bob', { publicKey: key('bob'), id: 'bob/1', amount: 0n });
  const again = [
    net.cmd(abi.OP_REGISTER, 'x', { publicKey: key('x'), id: 'bob/1', amount: 0n }),
    net.cmd(abi.OP_REGISTER, 'x', { publicKey: key('bob'), id: 'bob/2', amount: 0n }),
    net.register('bob'),
  ];
  const noKey = { publicKey: '0'.repeat(64), id: 'nokey', amount: 0n, auth: abi.AUTH_UNSIGNED, seat: 0 };
  const keyless = net.cmd(abi.OP_REGISTER, 'x', noKey);
  const toBob = net.cmd(abi.OP_TRANSFER, 'a', { other: hash('bob/1'), amount: 1n });
  const codes = net.codes([
    bob,
    ...again,
    keyless,
    net.register('a', TOKEN),
    toBob,
    net.transfer('a', 'bob', 1n),
  ]);
  const taken = abi.ALREADY_REGISTERED;
  expect(codes).toEqual([abi.OK, taken, taken, taken, abi.OK, abi.OK, abi.OK, abi.OK]);
});
