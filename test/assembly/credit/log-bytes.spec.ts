// Bytes of the log: the examples of protocol 6.18.

import { CONFIG_PARAMS, PARAM_ROW_DEPOSIT, POOL_TREASURY } from '../../../assembly/abi';
import { bytesFee, noteBytes, registrationFee } from '../../../assembly/credit/log-bytes';
import { workerOf } from '../../../assembly/credit/workers';
import { poolBalance } from '../../../assembly/ledger/money';
import { root } from '../../../assembly/state/root';
import { freshState, LAUNCH, newAgent, TOKEN } from '../support/state';

const DAY: u64 = 86400;

// The other specs have rows for nothing.
function setRowDeposit(amount: u64): void {
  store<u64>(root().base + <usize>CONFIG_PARAMS + ((<usize>PARAM_ROW_DEPOSIT) << 3), amount);
}

describe('bytes of the log', () => {
  it('an agent with nothing has 32 KiB once, and then cannot pay', () => {
    freshState();
    setRowDeposit(100000);
    const agent = newAgent(1, 0, 0);
    expect(bytesFee(agent, 32, LAUNCH)).toBe(0);
    expect(bytesFee(agent, 33, LAUNCH)).toBe(97);
    expect(bytesFee(agent, 1056, LAUNCH)).toBe(100000, 'a mebibyte costs as much as a row');
    expect(registrationFee(32)).toBe(0);
    expect(registrationFee(34)).toBe(195);
    noteBytes(agent, 20, LAUNCH);
    noteBytes(agent, 12, LAUNCH + DAY);
    expect(workerOf(0).firstKib).toBe(32);
    expect(workerOf(0).kibToday).toBe(0);
    expect(bytesFee(agent, 1, LAUNCH + 9 * DAY)).toBe(97, 'for life, not for a day');
  });

  it('what is beyond both is paid to the treasury', () => {
    freshState();
    setRowDeposit(100000);
    const agent = newAgent(1, 20 * TOKEN, 0);
    const treasury = poolBalance(POOL_TREASURY);
    noteBytes(agent, 1058, LAUNCH);
    expect(agent.balance).toBe(20 * TOKEN - 100000);
    expect(poolBalance(POOL_TREASURY) - treasury).toBe(100000);
  });

  it('holdings of every kind give a KiB a day for each ten tokens, before those that are free once', () => {
    freshState();
    const agent = newAgent(1, 30 * TOKEN, 20 * TOKEN);
    noteBytes(agent, 4, LAUNCH);
    expect(workerOf(0).kibToday).toBe(4);
    noteBytes(agent, 4, LAUNCH + 1);
    expect(workerOf(0).kibToday).toBe(5);
    expect(workerOf(0).firstKib).toBe(3);
    noteBytes(agent, 2, LAUNCH + DAY);
    expect(workerOf(0).kibToday).toBe(2, 'a new day');
    expect(workerOf(0).firstKib).toBe(3);
  });

  it('counts nothing against what was held before and is gone', () => {
    freshState();
    const agent = newAgent(1, 50 * TOKEN, 0);
    noteBytes(agent, 5, LAUNCH);
    agent.balance = 10 * TOKEN;
    noteBytes(agent, 1, LAUNCH);
    expect(workerOf(0).kibToday).toBe(5);
    expect(workerOf(0).firstKib).toBe(1);
  });
});
