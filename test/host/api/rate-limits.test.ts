import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { RateLimiter, type RateLimiterOptions, rateHeaders } from '../../../host/api/rate-limits.ts';
import { RATE_TABLE, type RateRow } from '../../../host/api/rate-table.ts';
import { ServiceError } from '../../../host/errors.ts';

function start(more: Partial<RateLimiterOptions> = {}) {
  const time = { ms: 5_000 };
  const rejects: string[] = [];
  const limiter = new RateLimiter({
    clock: { monotonicMs: () => time.ms },
    enabled: true,
    onReject: (dimension) => rejects.push(dimension),
    ...more,
  });
  return { limiter, time, rejects };
}

/** Retry-After of the refusal, undefined when the call passes. */
function refused(take: () => unknown): number | undefined {
  try {
    take();
    return undefined;
  } catch (error) {
    expect(error).toBeInstanceOf(ServiceError);
    const refusal = error as ServiceError;
    expect(refusal.code).toBe('rate_limited');
    expect(refusal.headers['Retry-After']).toMatch(/^[1-9]\d*$/);
    return Number(refusal.headers['Retry-After']);
  }
}

/** An address in the n-th network. */
const inNetwork = (n: number, host = 1): string => `10.${n >> 8}.${n & 255}.${host}`;

const passing = (count: number, take: (i: number) => void): number => {
  let passed = 0;
  for (let i = 0; i < count; i++) if (refused(() => take(i)) === undefined) passed++;
  return passed;
};

describe('the rate table (protocol 8.1)', () => {
  it('allows exactly the limit of each row, in each dimension (pitfall O7)', () => {
    for (const name of Object.keys(RATE_TABLE) as RateRow[]) {
      const { agent, address, node } = RATE_TABLE[name];
      const { limiter } = start({ maxKeys: 100_000 });
      const most = Number.isFinite(agent) ? agent : 1000;
      expect(passing(most + 5, () => limiter.takeAgent(name, 'a'))).toBe(
        Number.isFinite(agent) ? agent : 1005,
      );
      if (!Number.isFinite(node)) {
        expect(Number.isFinite(address)).toBe(false);
        expect(passing(1000, (i) => limiter.takeShared(name, `b${i}`, '192.0.2.1'))).toBe(1000);
        continue;
      }
      expect(passing(address + 5, (i) => limiter.takeShared(name, `b${i}`, '192.0.2.1'))).toBe(address);
      const others = passing(node, (i) => limiter.takeShared(name, `c${i}`, inNetwork(i)));
      expect(address + others).toBe(node);
    }
  });

  it('writes that lose by waiting have no count but that of the agent', () => {
    const rows = [
      'submit',
      'approve',
      'dispute',
      'cancel',
      'verify',
      'challenges',
      'resolve',
      'replaySubmit',
    ];
    for (const name of rows as RateRow[]) {
      expect([name, RATE_TABLE[name].address, RATE_TABLE[name].node]).toEqual([name, Infinity, Infinity]);
    }
  });

  it('reports how long the window still lasts, from its first counted request', () => {
    const { limiter, time, rejects } = start();
    const take = () => limiter.takeShared('agents', 'new', '192.0.2.1');
    const by = (agent: string) => limiter.takeShared('agents', agent, '192.0.2.1');
    by('a');
    time.ms += 1_000_500;
    by('b');
    by('c');
    expect(refused(take)).toBe(2_600);
    time.ms += 2_599_000;
    expect(refused(take)).toBe(1);
    time.ms += 500;
    expect(refused(take)).toBeUndefined();
    expect(refused(() => limiter.takeShared('agents', 'd', '192.0.2.2'))).toBeUndefined();
    expect(rejects).toEqual(['ip', 'ip']);
  });

  it('a refusal uses up nothing that is shared', () => {
    const { limiter, rejects } = start();
    for (let i = 0; i < 3; i++) limiter.takeShared('faucet', `a${i}`, '192.0.2.1');
    expect(passing(500, () => limiter.takeShared('faucet', 'b', '192.0.2.1'))).toBe(0);
    const others = passing(84, (i) => limiter.takeShared('faucet', `c${i}`, inNetwork(i)));
    expect(others).toBe(81);
    expect(rejects.filter((d) => d === 'ip')).toHaveLength(500);
    expect(rejects.at(-1)).toBe('global');
  });

  it('endpoints count separately', () => {
    const { limiter } = start();
    for (let i = 0; i < 20; i++) limiter.takeAgent('stake', 'a');
    expect(refused(() => limiter.takeAgent('stake', 'a'))).toBe(3_600);
    expect(refused(() => limiter.takeAgent('unstake', 'a'))).toBeUndefined();
  });

  it('1,000 writes of an agent, and what its API key allows', () => {
    const { limiter } = start();
    for (let i = 0; i < 1_000; i++) limiter.takeWrite('a');
    expect(refused(() => limiter.takeWrite('a'))).toBe(3_600);
    limiter.takeApiKey('k', 2);
    limiter.takeApiKey('k', 2);
    expect(refused(() => limiter.takeApiKey('k', 2))).toBe(3_600);
    expect(refused(() => limiter.takeApiKey('k2', 2))).toBeUndefined();
  });

  it('switched off, it neither counts nor refuses', () => {
    const { limiter } = start({ enabled: false });
    for (let i = 0; i < 2_000; i++) {
      expect(rateHeaders([limiter.takeShared('agents', 'a', '192.0.2.1'), limiter.takeWrite('a')])).toEqual(
        {},
      );
    }
    expect(limiter.keyCount).toBe(0);
  });
});

describe('headers', () => {
  it('are those of the dimension with the least left', () => {
    const { limiter, time } = start();
    limiter.takeAgent('unstake', 'a');
    time.ms += 60_000;
    const states = [
      limiter.takeAgent('unstake', 'a'),
      limiter.takeShared('unstake', 'a', '192.0.2.1'),
      limiter.takeWrite('a'),
    ];
    expect(rateHeaders(states)).toEqual({
      'X-RateLimit-Limit': '20',
      'X-RateLimit-Remaining': '18',
      'X-RateLimit-Reset': '3540',
    });
    expect(rateHeaders([])).toEqual({});
  });

  it('count down to zero', () => {
    const { limiter } = start();
    const left = [1, 2, 3].map(
      (i) => rateHeaders([limiter.takeShared('agents', `a${i}`, 'x')])['X-RateLimit-Remaining'],
    );
    expect(left).toEqual(['2', '1', '0']);
  });
});

describe('memory', () => {
  it('stays bounded under a flood of addresses, and ended windows go', () => {
    const { limiter, time } = start({ maxKeys: 100 });
    for (let i = 0; i < 2_900; i++) {
      limiter.takeShared('transfer', `a${i}`, inNetwork(i));
    }
    expect(limiter.keyCount).toBeLessThanOrEqual(3 * 100);
    time.ms += 3_600_000;
    limiter.takeShared('transfer', 'a', '192.0.2.1');
    expect(limiter.keyCount).toBeLessThanOrEqual(3);
  });

  it('at the cap the oldest window is forgotten, not the newest', () => {
    const { limiter, time } = start({ maxKeys: 10 });
    for (let i = 0; i < 10; i++) {
      time.ms += 1;
      for (let k = 0; k < 20; k++) limiter.takeAgent('stake', `a${i}`);
    }
    limiter.takeAgent('stake', 'b');
    expect(refused(() => limiter.takeAgent('stake', 'a9'))).toBeGreaterThan(0);
    expect(refused(() => limiter.takeAgent('stake', 'a0'))).toBeUndefined();
  });
});

describe('what all share', () => {
  it('is never used up by one agent or one network, and the part of each shrinks with what is left', () => {
    const { limiter } = start();
    // One agent from everywhere: a tenth of what is left, over and over.
    const ofAgent = passing(500, (i) => limiter.takeShared('tasks', 'greedy', inNetwork(i)));
    expect(ofAgent).toBe(45);
    // One network with as many agents and addresses as it likes: a third.
    const ofNetwork = passing(500, (i) => limiter.takeShared('tasks', `s${i}`, inNetwork(600, i % 250)));
    expect(ofNetwork).toBe(114);
    expect(refused(() => limiter.takeShared('tasks', 'honest', inNetwork(700)))).toBeUndefined();
  });

  it('what refills goes to those who had none of it', () => {
    const { limiter, time } = start();
    for (let i = 0; i < 500; i++) limiter.takeShared('tasks', `a${i}`, inNetwork(i));
    const honest = () => limiter.takeShared('tasks', 'honest', inNetwork(700));
    // 500 in an hour: one in 7.2 s, which is how long somebody new has to wait.
    expect(refused(honest)).toBe(8);
    time.ms += 7_200;
    for (let i = 0; i < 500; i++) {
      expect(refused(() => limiter.takeShared('tasks', `a${i}`, inNetwork(i)))).toBeGreaterThan(100);
    }
    expect(refused(honest)).toBeUndefined();
  });

  it('whoever is refused is told the truth about how long', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.nat(20), fc.nat(5), fc.nat(3000)), { maxLength: 120 }), (steps) => {
        const { limiter, time } = start();
        for (const [agent, network, wait] of steps) {
          limiter.takeShared('transfer', `warm${agent}-${time.ms}`, inNetwork(time.ms & 0xffff));
          const take = () => limiter.takeShared('agents', `a${agent}`, inNetwork(network, agent + 1));
          const secs = refused(take);
          if (secs !== undefined) {
            time.ms += secs * 1000;
            expect(refused(take)).toBeUndefined();
          }
          time.ms += wait;
        }
      }),
      { numRuns: 100 },
    );
  });
});
