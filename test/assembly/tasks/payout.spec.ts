// The payout with the examples of protocol 6.2, 6.3, 6.4 and 6.12.

import {
  GENERATION_RECOGNIZED,
  LANE_STANDARD,
  PAYOUT_PAID,
  POOL_CANARY,
  POOL_DISPUTE,
  POOL_REPLAY_GENERAL,
  POOL_REWARDS,
  POOL_TREASURY,
  RESOLUTION_APPROVED,
  TASK_COMPLETED,
} from '../../../assembly/abi';
import { standingOf } from '../../../assembly/credit/standing';
import { balanceOf, escrowOf, move, poolBalance, SUPPLY } from '../../../assembly/ledger/money';
import { findRecord, recordAt } from '../../../assembly/reputation/records';
import { fullSupply } from '../../../assembly/run/audit';
import { header } from '../../../assembly/state/header';
import { completeTask } from '../../../assembly/tasks/completion';
import { rewardFor } from '../../../assembly/tasks/payout';
import { operatorOf, validatorAt } from '../../../assembly/validators/validators';
import { freshState, LAUNCH, newAgent, newValidator, setNow, TOKEN } from '../support/state';
import { claimBy, deliver, panelVote, postTask } from '../support/tasks';

const NOW: u64 = LAUNCH + 100;

describe('an unassured task', () => {
  it('without voters the whole base fee goes to the treasury', () => {
    freshState();
    const poster = newAgent(1, 100 * TOKEN, 0);
    const worker = newAgent(2, 0, 0);
    const task = postTask(1, poster, 12345678);
    expect(poster.reserved).toBe(12345678);
    claimBy(task, worker);
    deliver(task, 7777);
    const treasury = poolBalance(POOL_TREASURY);
    completeTask(task, RESOLUTION_APPROVED, NOW);
    expect<i32>(task.status).toBe(TASK_COMPLETED);
    expect<i32>(task.payout).toBe(PAYOUT_PAID);
    expect(task.escrow).toBe(0);
    expect(task.baseFee).toBe(12345);
    expect(worker.balance).toBe(12333333);
    // What the treasury got, in thousandths of a token (6.17).
    expect(standingOf(worker, NOW)).toBe(12000);
    expect(standingOf(poster, NOW)).toBe(0);
    expect(poolBalance(POOL_TREASURY) - treasury).toBe(12345);
    expect(poster.reserved).toBe(0);
    expect(poolBalance(POOL_REWARDS)).toBe(200000000 * TOKEN - 100 * TOKEN);
    expect(fullSupply()).toBe(SUPPLY);
  });

  it("adds payout, score and delivery time to the worker's record", () => {
    freshState();
    const worker = newAgent(2, 0, 0);
    const task = postTask(1, newAgent(1, 100 * TOKEN, 0), 10 * TOKEN);
    claimBy(task, worker);
    deliver(task, 7777);
    completeTask(task, RESOLUTION_APPROVED, NOW);
    const record = recordAt(findRecord(worker, 2) - 1);
    expect(record.completed).toBe(1);
    expect(record.earned).toBe(9990000);
    expect(record.scoreBpSum).toBe(7777);
    expect(record.deliverySecsSum).toBe(40);
    expect(worker.completed).toBe(1);
    expect(header().generated).toBe(0);
  });
});

describe('200 tokens standard', () => {
  it('base fee 200,000, assurance fee 6,000,000, worker 193,800,000, and the split without replay', () => {
    freshState();
    for (let i: u64 = 0; i < 3; i++) newValidator(i, 30000 * TOKEN, 5000);
    const worker = newAgent(2, 0, 0);
    const task = postTask(1, newAgent(1, 300 * TOKEN, 0), 200 * TOKEN, LANE_STANDARD);
    claimBy(task, worker);
    deliver(task, 9000);
    for (let i: u32 = 0; i < 3; i++) panelVote(task, i, true);
    const treasury = poolBalance(POOL_TREASURY);
    const rewards = poolBalance(POOL_REWARDS);
    completeTask(task, RESOLUTION_APPROVED, NOW);
    expect(worker.balance).toBe(193800000);
    expect(poolBalance(POOL_REPLAY_GENERAL)).toBe(50 * TOKEN + 1500000);
    expect(poolBalance(POOL_DISPUTE)).toBe(180000);
    expect(poolBalance(POOL_CANARY)).toBe(117000);
    // 603,000 of the assurance fee, 40,000 and a remainder of 1 of the base fee: 160,000 is not divisible by three.
    expect(poolBalance(POOL_TREASURY) - treasury).toBe(643001);
    // 3,600,000 and 160,000 and the reward of 1,000,000, each floored to a third.
    expect(operatorOf(validatorAt(0)).balance).toBe(1200000 + 53333 + 333333);
    expect(rewards - poolBalance(POOL_REWARDS)).toBe(999999);
    expect(worker.generated).toBe(180 * TOKEN);
    expect<i32>(task.generation).toBe(GENERATION_RECOGNIZED);
    expect(header().assuredVolume).toBe(200 * TOKEN);
    expect(header().assuranceFees).toBe(6000000);
    expect(fullSupply()).toBe(SUPPLY);
  });

  it("without an approval the verifiers' share goes to the treasury, and no reward is paid", () => {
    freshState();
    newValidator(0, 30000 * TOKEN, 5000);
    const task = postTask(1, newAgent(1, 300 * TOKEN, 0), 200 * TOKEN, LANE_STANDARD);
    claimBy(task, newAgent(2, 0, 0));
    deliver(task, 9000);
    panelVote(task, 0, false);
    const treasury = poolBalance(POOL_TREASURY);
    const rewards = poolBalance(POOL_REWARDS);
    completeTask(task, RESOLUTION_APPROVED, NOW);
    expect(poolBalance(POOL_TREASURY) - treasury).toBe(603000 + 3600000 + 200000);
    expect(poolBalance(POOL_REWARDS)).toBe(rewards);
    expect(operatorOf(validatorAt(0)).balance).toBe(0);
  });

  it('weights of 3 to 1 share 12,345 as 7,407 and 2,469', () => {
    freshState();
    newValidator(0, 30000 * TOKEN, 6000);
    newValidator(1, 30000 * TOKEN, 2000);
    const task = postTask(1, newAgent(1, 100 * TOKEN, 0), 12345678);
    claimBy(task, newAgent(2, 0, 0));
    deliver(task, 9000);
    panelVote(task, 0, true);
    panelVote(task, 1, true);
    completeTask(task, RESOLUTION_APPROVED, NOW);
    expect(operatorOf(validatorAt(0)).balance).toBe(7407);
    expect(operatorOf(validatorAt(1)).balance).toBe(2469);
  });

  it('an escrow used up by subtasks pays the base fee first, and reduces the assurance fee', () => {
    freshState();
    const worker = newAgent(2, 0, 0);
    const poster = newAgent(1, 300 * TOKEN, 0);
    const task = postTask(1, poster, 200 * TOKEN, LANE_STANDARD);
    claimBy(task, worker);
    task.escrow -= 194 * TOKEN;
    move(escrowOf(poster), balanceOf(poster), 194 * TOKEN);
    deliver(task, 9000);
    completeTask(task, RESOLUTION_APPROVED, NOW);
    expect(worker.balance).toBe(0);
    expect(task.baseFee).toBe(6000);
    expect(header().assuranceFees).toBe(6000000 - 6000);
    expect(fullSupply()).toBe(SUPPLY);
  });
});

describe('bootstrap reward', () => {
  it('V = 25,000 tokens: 750,000; nothing from 100,000 on', () => {
    expect(rewardFor(0)).toBe(1000000);
    expect(rewardFor(25000 * TOKEN)).toBe(750000);
    expect(rewardFor(100000 * TOKEN)).toBe(0);
    expect(rewardFor(900000 * TOKEN)).toBe(0);
  });

  it('ends 1,095 days after launch', () => {
    freshState();
    newValidator(0, 30000 * TOKEN, 5000);
    for (let late: u64 = 0; late < 2; late++) {
      const poster = newAgent(10 + late, 300 * TOKEN, 0);
      const task = postTask(1 + late, poster, 200 * TOKEN, LANE_STANDARD);
      claimBy(task, newAgent(20 + late, 0, 0));
      deliver(task, 9000);
      panelVote(task, 0, true);
      const rewards = poolBalance(POOL_REWARDS);
      const at = LAUNCH + 1095 * 86400 - 1 + late;
      setNow(at);
      completeTask(task, RESOLUTION_APPROVED, at);
      expect(rewards - poolBalance(POOL_REWARDS)).toBe(late == 0 ? 1000000 : 0);
    }
  });
});
