import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  RATE_TABLE,
  RateLimiter,
  type RateLimiterOptions,
  type RateRow,
  rateHeaders,
} from '../../../host/api/rate-limits.ts';
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

describe('the rate table (protocol 8.1)', () => {
  it('allows exactly the limit of each row, in each dimension (pitfall O7)', () => {
    for (const name of Object.keys(RATE_TABLE) as RateRow[]) {
      const { agent, ip, global } = RATE_TABLE[name];
      const count = (most: number, take: (i: number) => void): number => {
        let passed = 0;
        for (let i = 0; i < most + 5; i++) if (refused(() => take(i)) === undefined) passed++;
        return passed;
      };
      const { limiter } = start({ maxKeys: 100_000 });
      expect(count(ip, () => limiter.takeIp(name, '192.0.2.1'))).toBe(ip);
      if (Number.isFinite(agent))
        expect(count(agent, () => limiter.takeAgentAndGlobal(name, 'a'))).toBe(agent);
      const before = Number.isFinite(agent) ? agent : 0;
      expect(count(global - before, (i) => limiter.takeAgentAndGlobal(name, `b${i}`))).toBe(global - before);
    }
  });

  it('reports how long the window still lasts, from its first counted request', () => {
    const { limiter, time, rejects } = start();
    limiter.takeIp('agents', '192.0.2.1');
    time.ms += 1_000_500;
    limiter.takeIp('agents', '192.0.2.1');
    limiter.takeIp('agents', '192.0.2.1');
    expect(refused(() => limiter.takeIp('agents', '192.0.2.1'))).toBe(2_600);
    time.ms += 2_599_000;
    expect(refused(() => limiter.takeIp('agents', '192.0.2.1'))).toBe(1);
    time.ms += 500;
    expect(refused(() => limiter.takeIp('agents', '192.0.2.1'))).toBeUndefined();
    expect(refused(() => limiter.takeIp('agents', '192.0.2.2'))).toBeUndefined();
    expect(rejects).toEqual(['ip', 'ip']);
  });

  it('a refusal uses up nothing of another dimension', () => {
    const { limiter, rejects } = start();
    limiter.takeAgentAndGlobal('faucet', 'a');
    for (let i = 0; i < 200; i++)
      expect(refused(() => limiter.takeAgentAndGlobal('faucet', 'a'))).toBe(3_600);
    for (let i = 1; i < 84; i++) {
      expect(refused(() => limiter.takeAgentAndGlobal('faucet', `b${i}`))).toBeUndefined();
    }
    expect(refused(() => limiter.takeAgentAndGlobal('faucet', 'c'))).toBe(3_600);
    expect(rejects.at(-1)).toBe('global');
    expect(rejects.filter((d) => d === 'agent')).toHaveLength(200);
  });

  it('endpoints count separately', () => {
    const { limiter } = start();
    for (let i = 0; i < 20; i++) limiter.takeAgentAndGlobal('stake', 'a');
    expect(refused(() => limiter.takeAgentAndGlobal('stake', 'a'))).toBe(3_600);
    expect(refused(() => limiter.takeAgentAndGlobal('unstake', 'a'))).toBeUndefined();
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
      limiter.takeRead('192.0.2.1');
      expect(rateHeaders([limiter.takeIp('agents', '192.0.2.1'), limiter.takeWrite('a')])).toEqual({});
    }
    expect(limiter.keyCount).toBe(0);
  });
});

describe('headers', () => {
  it('are those of the dimension with the least left', () => {
    const { limiter, time } = start();
    limiter.takeAgentAndGlobal('unstake', 'a');
    time.ms += 60_000;
    const states = [
      limiter.takeIp('unstake', '192.0.2.1'),
      limiter.takeAgentAndGlobal('unstake', 'a'),
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
    const left = [1, 2, 3].map(() => rateHeaders([limiter.takeIp('agents', 'x')])['X-RateLimit-Remaining']);
    expect(left).toEqual(['2', '1', '0']);
  });
});

describe('reads: 100 per second, burst 500', () => {
  it('allows the burst, then what time refills', () => {
    const { limiter, time } = start();
    const burst = () => {
      let passed = 0;
      while (refused(() => limiter.takeRead('192.0.2.1')) === undefined) passed++;
      return passed;
    };
    expect(burst()).toBe(500);
    expect(refused(() => limiter.takeRead('192.0.2.1'))).toBe(1);
    expect(refused(() => limiter.takeRead('192.0.2.2'))).toBeUndefined();
    time.ms += 1_000;
    expect(burst()).toBe(100);
    time.ms += 9;
    expect(burst()).toBe(0);
    time.ms += 1;
    expect(burst()).toBe(1);
    time.ms += 3_600_000;
    expect(burst()).toBe(500);
  });

  it('never allows more than burst plus refill, at any rhythm', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(400), { minLength: 1, maxLength: 200 }), (waits) => {
        const { limiter, time } = start();
        const begin = time.ms;
        let passed = 0;
        for (const wait of waits) {
          time.ms += wait;
          for (let i = 0; i < 60; i++) {
            if (refused(() => limiter.takeRead('192.0.2.1')) === undefined) passed++;
          }
        }
        expect(passed).toBeLessThanOrEqual(500 + ((time.ms - begin) / 1000) * 100 + 1e-6);
      }),
      { numRuns: 40 },
    );
  });
});

describe('memory', () => {
  it('stays bounded under a flood of addresses, and ended windows go', () => {
    const { limiter, time } = start({ maxKeys: 100 });
    for (let i = 0; i < 5_000; i++) {
      limiter.takeIp('transfer', `10.0.${i >> 8}.${i & 255}`);
      limiter.takeRead(`10.0.${i >> 8}.${i & 255}`);
    }
    expect(limiter.keyCount).toBeLessThanOrEqual(100 + 200);
    time.ms += 3_600_000;
    limiter.takeIp('transfer', '192.0.2.1');
    limiter.takeRead('192.0.2.1');
    time.ms += 20_000;
    limiter.takeRead('192.0.2.1');
    expect(limiter.keyCount).toBeLessThanOrEqual(3);
  });

  it('at the cap the oldest window is forgotten, not the newest', () => {
    const { limiter, time } = start({ maxKeys: 10 });
    for (let i = 0; i < 10; i++) {
      time.ms += 1;
      for (let k = 0; k < 3; k++) limiter.takeIp('agents', `10.0.0.${i}`);
    }
    limiter.takeIp('agents', '10.0.1.1');
    expect(refused(() => limiter.takeIp('agents', '10.0.0.9'))).toBeGreaterThan(0);
    expect(refused(() => limiter.takeIp('agents', '10.0.0.0'))).toBeUndefined();
  });
});
