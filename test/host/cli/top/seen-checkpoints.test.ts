import { describe, expect, it } from 'vitest';
import { SeenCheckpoints } from '../../../../host/cli/top/seen-checkpoints.ts';

const at = (height: number, stateRoot: string) => ({ height, stateRoot, order: 100 * height, signers: 3 });

describe('seen checkpoints', () => {
  it('are common from the second node on, and the newest common one is shown', () => {
    const seen = new SeenCheckpoints();
    seen.add('v1', at(1, 'aa'));
    expect(seen.newestCommon('v1')).toBeUndefined();
    seen.add('v2', at(1, 'aa'));
    seen.add('v1', at(2, 'bb'));
    expect(seen.newestCommon('v1')).toEqual({ height: 1, stateRoot: 'aa', isSame: true });
    expect(seen.newestCommon('v3')).toBeUndefined();
    seen.add('v3', at(2, 'bb'));
    expect(seen.newestCommon('v3')).toEqual({ height: 2, stateRoot: 'bb', isSame: true });
    expect([seen.compared, seen.faults]).toEqual([2, []]);
  });

  it('at which two nodes differ are faults, each pair once however often it is seen', () => {
    const seen = new SeenCheckpoints();
    for (let i = 0; i < 3; i++) {
      seen.add('v1', at(5, 'aa'));
      seen.add('v2', at(5, 'cc'));
    }
    expect(seen.faults).toEqual(['checkpoint 5: v2 has cc, v1 aa']);
    expect(seen.newestCommon('v1')).toEqual({ height: 5, stateRoot: 'aa', isSame: false });
  });

  it('are forgotten oldest first, so that a long run stays small', () => {
    const seen = new SeenCheckpoints();
    for (let height = 1; height <= 5000; height++) seen.add('v1', at(height, 'aa'));
    seen.add('v2', at(1, 'zz'));
    expect(seen.faults).toEqual([]);
    seen.add('v2', at(5000, 'zz'));
    expect(seen.faults).toHaveLength(1);
  });
});
