// Records in order of category, made by the first decision, paid for from the second category on; sums exclude `transfer`.

import { CATEGORY_GENERAL, CATEGORY_GENERATION, CATEGORY_TRANSFER } from '../../../assembly/abi';
import { agentIndex } from '../../../assembly/ledger/agents';
import {
  findRecord,
  makeRecord,
  ownRecord,
  recordAt,
  recordCompleted,
  recordFailed,
  totalEarned,
} from '../../../assembly/reputation/records';
import { AGENTS, capacity, header, RECORDS } from '../../../assembly/state/header';
import { freshState, LAUNCH, newAgent } from '../support/state';

describe('records', () => {
  it('are chained in order of category, one for each, the own row first', () => {
    freshState();
    const agent = newAgent(1, 0, 0);
    makeRecord(agent, 2);
    makeRecord(agent, 1);
    makeRecord(agent, 2);
    expect(header().recordCount).toBe(2);
    expect(findRecord(agent, CATEGORY_TRANSFER)).toBe(agentIndex(agent) + 1);
    const first = recordAt(ownRecord(agent).next - 1);
    expect(first.category).toBe(1);
    expect(first.next).toBe(capacity(AGENTS) + 1);
    expect(recordAt(first.next - 1).category).toBe(2);
    expect(recordAt(first.next - 1).next).toBe(0);
  });

  it('exclude transfers from the sums (protocol 6.10)', () => {
    freshState();
    const agent = newAgent(1, 0, 0);
    recordCompleted(agent, CATEGORY_TRANSFER, 0, 0, 0, LAUNCH + 5);
    expect(agent.completed).toBe(0);
    expect(header().recordCount).toBe(0);
    expect(agent.lastActiveSecs).toBe(LAUNCH + 5);
    recordCompleted(agent, CATEGORY_GENERATION, 100, 8000, 40, LAUNCH + 6);
    recordFailed(agent, CATEGORY_GENERATION, LAUNCH + 7);
    expect(agent.completed).toBe(1);
    expect(agent.failed).toBe(1);
    expect(agent.lastActiveSecs).toBe(LAUNCH + 6);
    expect(totalEarned(agent)).toBe(100);
    expect(ownRecord(agent).completed).toBe(1);
  });

  it('are missed by nothing else when the table is full: totals and money go on', () => {
    freshState();
    const agent = newAgent(1, 0, 0);
    header().recordCount = capacity(RECORDS);
    recordCompleted(agent, CATEGORY_GENERAL, 100, 8000, 40, LAUNCH + 6);
    recordFailed(agent, CATEGORY_GENERATION, LAUNCH + 7);
    recordCompleted(agent, CATEGORY_TRANSFER, 0, 0, 0, LAUNCH + 8);
    expect(findRecord(agent, CATEGORY_GENERAL)).toBe(0);
    expect(agent.completed).toBe(1);
    expect(agent.failed).toBe(1);
    expect(ownRecord(agent).completed).toBe(1);
    expect(agent.lastActiveSecs).toBe(LAUNCH + 8);
  });
});
