// Ten commits of an agent in 60 seconds of consensus time, exactly (protocol 4.4).

import { commitWaitSecs, dateWorker, noteCommit, workerOf } from '../../../assembly/credit/workers';
import { freshState, LAUNCH, newAgent } from '../support/state';

describe('commit window', () => {
  it('allows ten at once, the eleventh after 60 seconds', () => {
    freshState();
    newAgent(1, 0, 0);
    const worker = workerOf(0);
    for (let i = 0; i < 10; i++) {
      expect(commitWaitSecs(worker, LAUNCH)).toBe(0);
      noteCommit(worker, LAUNCH);
    }
    expect(commitWaitSecs(worker, LAUNCH)).toBe(60);
    expect(commitWaitSecs(worker, LAUNCH + 59)).toBe(1);
    expect(commitWaitSecs(worker, LAUNCH + 60)).toBe(0);
  });

  it('slides: each commit leaves the window on its own', () => {
    freshState();
    newAgent(1, 0, 0);
    const worker = workerOf(0);
    for (let i: u64 = 0; i < 10; i++) noteCommit(worker, LAUNCH + i * 5);
    expect(commitWaitSecs(worker, LAUNCH + 45)).toBe(15);
    expect(commitWaitSecs(worker, LAUNCH + 60)).toBe(0);
    noteCommit(worker, LAUNCH + 60);
    expect(commitWaitSecs(worker, LAUNCH + 60)).toBe(5);
    expect(commitWaitSecs(worker, LAUNCH + 65)).toBe(0);
  });

  it('survives an overflow of 32-bit seconds', () => {
    freshState();
    newAgent(1, 0, 0);
    const worker = workerOf(0);
    const wrap: u64 = 4294967296;
    for (let i: u64 = 0; i < 10; i++) noteCommit(worker, wrap - 10);
    expect(commitWaitSecs(worker, wrap + 20)).toBe(30);
    expect(commitWaitSecs(worker, wrap + 50)).toBe(0);
  });

  it('dates commits from before the clock to its start', () => {
    freshState();
    newAgent(1, 0, 0);
    const worker = workerOf(0);
    for (let i = 0; i < 10; i++) noteCommit(worker, 1);
    dateWorker(worker, 1, LAUNCH);
    expect(commitWaitSecs(worker, LAUNCH + 10)).toBe(50);
  });
});
