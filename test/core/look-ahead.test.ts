// Commands of one run depend on each other: what is found before they run must not hide what those before them did.

import { expect, test } from 'vitest';
import * as abi from '../../assembly/abi.ts';
import { type Command, toRecord } from '../model/command.ts';
import { Net, TOKEN } from './fixture.ts';

/** Code of a dry run. */
const codeOf = ({ core, nowMs }: Net, sent: Command): number => core.check(toRecord(sent), nowMs / 1000).code;

test('an agent that registers is the actor of the next command, and the recipient of the one after', () => {
  const net = new Net();
  const early = net.transfer('a', 'b', TOKEN);
  const sent = net.transfer('a', 'b', TOKEN);
  const back = net.transfer('b', 'a', TOKEN);
  const { txs } = net.run([
    early,
    net.register('a', 10n * TOKEN),
    net.transfer('a', 'b', TOKEN),
    net.register('b', 10n * TOKEN),
    sent,
    back,
  ]);
  expect(txs.map((tx) => tx.code)).toEqual([
    abi.AGENT_NOT_FOUND,
    abi.OK,
    abi.RECIPIENT_NOT_FOUND,
    abi.OK,
    abi.OK,
    abi.OK,
  ]);
  expect(net.agent('b', abi.AGENT_RESERVED)).toBe(TOKEN);
});

test('a TxID is executed once, and an item settled once, however often they are in one run', () => {
  const net = new Net();
  const sent = net.transfer('a', 'b', TOKEN);
  const { txs, events } = net.run([
    net.register('a', 10n * TOKEN),
    net.register('b'),
    sent,
    sent,
    net.verify('op0', sent, true),
    net.verify('op0', sent, true),
  ]);
  expect(txs.map((tx) => tx.code)).toEqual([
    abi.OK,
    abi.OK,
    abi.OK,
    abi.DUPLICATE_TX,
    abi.OK,
    abi.NOT_PENDING,
  ]);
  expect(events.filter((event) => event.type === abi.EVENT_SETTLEMENT).length).toBe(1);
});

test('more commands than are looked ahead to at a time', () => {
  const net = new Net();
  const names = Array.from({ length: 70 }, (_, i) => `agent ${i}`);
  const commands = names.flatMap((name, i) =>
    i === 0
      ? [net.register(name, TOKEN)]
      : [net.register(name, TOKEN), net.transfer(name, names[i - 1]!, 1n)],
  );
  const { txs } = net.run(commands);
  expect(new Set(txs.map((tx) => tx.code))).toEqual(new Set([abi.OK]));
});

test('a dry run knows its own actor, whatever was executed before it', () => {
  const net = new Net();
  net.run([net.register('a', 10n * TOKEN), net.register('b'), net.transfer('a', 'b', TOKEN)]);
  expect(codeOf(net, net.transfer('b', 'a', 1n))).toBe(abi.TRUST_LIMIT_EXCEEDED);
  expect(codeOf(net, net.transfer('nobody', 'a', 1n))).toBe(abi.AGENT_NOT_FOUND);
  expect(codeOf(net, net.transfer('a', 'b', 1n))).toBe(abi.OK);
});
