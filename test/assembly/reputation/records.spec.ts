// Records in order of category; reserved records have no effect; sums exclude `transfer`.

import { CATEGORY_GENERATION, CATEGORY_TRANSFER } from '../../../assembly/abi';
import {
  fingerprintVersion,
  hasRecordRow,
  recordAt,
  recordCompleted,
  recordFailed,
  reserveRecord,
  totalEarned,
} from '../../../assembly/reputation/records';
import { header } from '../../../assembly/state/header';
import { freshState, LAUNCH, newAgent } from '../support/state';

describe('records', () => {
  it('are chained in order of category, one for each', () => {
    freshState();
    const agent = newAgent(1, 0, 0);
    reserveRecord(agent, 1);
    reserveRecord(agent, 0);
    reserveRecord(agent, 1);
    expect(header().recordCount).toBe(2);
    const first = recordAt(agent.recordHead - 1);
    expect(first.category).toBe(0);
    expect(recordAt(first.next - 1).category).toBe(1);
    expect(recordAt(first.next - 1).next).toBe(0);
  });

  it('exclude transfers from the sums (protocol 6.10)', () => {
    freshState();
    const agent = newAgent(1, 0, 0);
    reserveRecord(agent, CATEGORY_TRANSFER);
    reserveRecord(agent, CATEGORY_GENERATION);
    recordCompleted(agent, CATEGORY_TRANSFER, 0, 0, 0, LAUNCH + 5);
    expect(agent.completed).toBe(0);
    expect(agent.lastActiveSecs).toBe(LAUNCH + 5);
    recordCompleted(agent, CATEGORY_GENERATION, 100, 8000, 40, LAUNCH + 6);
    recordFailed(agent, CATEGORY_GENERATION, LAUNCH + 7);
    expect(agent.completed).toBe(1);
    expect(agent.failed).toBe(1);
    expect(agent.lastActiveSecs).toBe(LAUNCH + 6);
    expect(totalEarned(agent)).toBe(100);
    expect(fingerprintVersion(agent)).toBe(3);
  });

  it('stop the core when work is settled that never began', () => {
    freshState();
    newAgent(1, 0, 0);
    expect(() => {
      recordFailed(newAgent(2, 0, 0), CATEGORY_GENERATION, LAUNCH);
    }).toThrow();
  });

  it('report a full table only when a row is needed', () => {
    freshState();
    const agent = newAgent(1, 0, 0);
    reserveRecord(agent, 0);
    header().recordCount = 50;
    expect(hasRecordRow(agent, 0)).toBe(true);
    expect(hasRecordRow(agent, 1)).toBe(false);
  });
});
