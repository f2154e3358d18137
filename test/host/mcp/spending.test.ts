// Limits on what tools spend, over files in memory.

import { describe, expect, it } from 'vitest';
import { ToolRefusal } from '../../../host/mcp/refusal.ts';
import { type Limits, Spending } from '../../../host/mcp/spending.ts';
import type { Intent } from '../../../host/mcp/tool.ts';
import { MemoryFiles } from './files.ts';

const NOON_MS = Date.UTC(2026, 4, 1, 12);
const DAY_MS = 86_400_000;
const LIMITS: Limits = { perCallMicro: 50, perDayMicro: 100, recipients: undefined };
const pay = (spendMicro: number, more: Partial<Intent> = {}): Intent => ({
  tool: 'transfer',
  key: undefined,
  spendMicro,
  ...more,
});

function open(files = new MemoryFiles(), limits = LIMITS) {
  const clock = { ms: NOON_MS, nowMs: () => clock.ms };
  return { files, clock, spending: new Spending({ files, folder: '/s', clock, limits }) };
}

const codeOf = (run: () => unknown): string | undefined => {
  try {
    run();
    return undefined;
  } catch (error) {
    return error instanceof ToolRefusal ? error.code : String(error);
  }
};

describe('spending', () => {
  it('counts up to the limit of a day, exactly', () => {
    const { spending } = open();
    spending.count(pay(50));
    spending.count(pay(49));
    expect(codeOf(() => spending.count(pay(2)))).toBe('spending_limit');
    spending.count(pay(1));
    expect(spending.report().left_today.micro).toBe(0);
    expect(codeOf(() => spending.count(pay(1)))).toBe('spending_limit');
    expect(codeOf(() => spending.count(pay(0)))).toBeUndefined();
  });

  it('refuses what is above the limit of a call, also when it comes out of an escrow', () => {
    const { files, spending } = open();
    expect(codeOf(() => spending.count(pay(51)))).toBe('spending_limit');
    expect(codeOf(() => spending.count(pay(0, { releaseMicro: 51 })))).toBe('spending_limit');
    expect(codeOf(() => spending.count(pay(0, { releaseMicro: 50 })))).toBeUndefined();
    expect(files.texts.size).toBe(0);
  });

  it('refuses what is no amount, as a node may name a bond: less than nothing would make room for more', () => {
    const { files, spending } = open();
    spending.count(pay(50));
    for (const bond of [-1_000_000, 0.5, Number.NaN, undefined, null, 'e-9', '7', [7], {}] as never[]) {
      expect(codeOf(() => spending.count(pay(bond)))).toBe('bad_answer');
      const released = codeOf(() => spending.count(pay(0, { releaseMicro: bond })));
      expect(released).toBe(bond === undefined ? undefined : 'bad_answer');
    }
    expect(spending.report().left_today.micro).toBe(50);
    expect(files.texts.size).toBe(1);
  });

  it('what is given back after midnight is not added to the next day', () => {
    const { clock, spending } = open();
    const counted = spending.count(pay(50));
    clock.ms += DAY_MS;
    spending.count(pay(50));
    spending.giveBack(counted);
    expect(spending.report().left_today.micro).toBe(50);
    clock.ms -= DAY_MS;
    spending.giveBack(spending.count(pay(50)));
    expect(spending.report().left_today.micro).toBe(50);
  });

  it('is remembered by a new process, and by one that ran beside it', () => {
    const { files, spending } = open();
    const beside = open(files).spending;
    expect(beside.report().left_today.micro).toBe(100);
    spending.count(pay(40));
    beside.count(pay(40));
    expect(codeOf(() => spending.count(pay(40)))).toBe('spending_limit');
    expect(open(files).spending.report().left_today.micro).toBe(20);
  });

  it('counts again when another process was first with its number', () => {
    const { files, spending } = open();
    const beside = open(files).spending;
    let isFirst = true;
    files.beforeWrite = () => {
      if (!isFirst) return;
      isFirst = false;
      beside.count(pay(50));
    };
    spending.count(pay(50));
    expect(spending.report().left_today.micro).toBe(0);
    isFirst = true;
    files.beforeWrite = () => {};
    expect(codeOf(() => spending.count(pay(1)))).toBe('spending_limit');
  });

  it('begins anew with a day of UTC, and gives back what never ran', () => {
    const { clock, spending } = open();
    const counted = spending.count(pay(50));
    spending.giveBack(counted);
    expect(spending.report().left_today.micro).toBe(100);
    spending.count(pay(50));
    clock.ms += DAY_MS / 2 - 1;
    expect(spending.report().left_today.micro).toBe(50);
    clock.ms += 1;
    expect(spending.report().left_today.micro).toBe(100);
    // What is given back a day later is not today's to spend.
    spending.giveBack(counted);
    expect(spending.report().left_today.micro).toBe(100);
  });

  it('pays listed agents only', () => {
    const { spending } = open(new MemoryFiles(), { ...LIMITS, recipients: ['bob'] });
    const to = (recipient: Intent['recipient']) => codeOf(() => spending.count(pay(1, { recipient })));
    expect(to({ agent: 'bob' })).toBeUndefined();
    expect(to(undefined)).toBeUndefined();
    expect(to({ agent: 'Bob' })).toBe('recipient_not_allowed');
    expect(to('anyone')).toBe('recipient_not_allowed');
    expect(to({ agent: 'anyone' })).toBe('recipient_not_allowed');
  });
});
