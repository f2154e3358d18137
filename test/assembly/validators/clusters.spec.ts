// Clusters of protocol 6.9: who is affiliated, joined transitively, once a day.

import { header } from '../../../assembly/state/header';
import { inOneCluster, isAffiliated, isClustered, rollClusters } from '../../../assembly/validators/clusters';
import { countPair } from '../../../assembly/validators/pairs';
import { validatorAt } from '../../../assembly/validators/validators';
import { freshState, LAUNCH, newValidator, TOKEN } from '../support/state';

const DAY: u64 = 86400;

function setUp(count: u64): void {
  freshState();
  rollClusters(LAUNCH);
  // The later a validator comes, the smaller its id.
  for (let i: u64 = 0; i < count; i++) newValidator(count - i, 25000 * TOKEN, 5000);
}

/** Lets two validators judge tasks together, first agreeing, then not. */
function judge(a: u32, b: u32, alike: u32, apart: u32, isStructured: bool = false): void {
  for (let i: u32 = 0; i < alike; i++) countPair(a, b, isStructured, true);
  for (let i: u32 = 0; i < apart; i++) countPair(b, a, isStructured, false);
}

function expectClusters(clusters: u32[]): void {
  for (let i: u32 = 0; i < <u32>clusters.length; i++) expect(validatorAt(i).cluster).toBe(clusters[i]);
}

describe('affiliation', () => {
  it('needs 50 common tasks and 9,800 bp, or 9,500 outside structured categories', () => {
    expect(isAffiliated(49, 49, true)).toBe(false);
    expect(isAffiliated(49, 49, false)).toBe(false);
    expect(isAffiliated(50, 49, true)).toBe(true);
    expect(isAffiliated(50, 48, true)).toBe(false);
    expect(isAffiliated(50, 48, false)).toBe(true);
    expect(isAffiliated(50, 47, false)).toBe(false);
    expect(isAffiliated(100, 95, false)).toBe(true);
    expect(isAffiliated(100, 94, false)).toBe(false);
    expect(isAffiliated(100, 98, true)).toBe(true);
    expect(isAffiliated(100, 97, true)).toBe(false);
  });

  it('does not add up tasks of both kinds', () => {
    setUp(2);
    judge(0, 1, 49, 0, true);
    judge(0, 1, 49, 0, false);
    rollClusters(LAUNCH + DAY);
    expectClusters([0, 0]);
  });
});

describe('clusters', () => {
  it('join transitively and are named after the smallest id', () => {
    setUp(6);
    judge(0, 2, 50, 0);
    judge(4, 2, 48, 2);
    judge(1, 5, 49, 1, true);
    judge(3, 5, 48, 2, true);
    rollClusters(LAUNCH + DAY);
    expectClusters([5, 6, 5, 0, 5, 6]);
    expect(inOneCluster(0, 4)).toBe(true);
    expect(inOneCluster(0, 1)).toBe(false);
    expect(inOneCluster(3, 0)).toBe(false);
    expect(isClustered(1)).toBe(true);
    expect(isClustered(3)).toBe(false);
    expect(inOneCluster(3, 3)).toBe(true);
  });

  it('merge when a pair joins them, also in a long chain', () => {
    setUp(12);
    for (let i: u32 = 0; i + 1 < 12; i++) if (i != 5) judge(i, i + 1, 50, 0);
    rollClusters(LAUNCH + DAY);
    for (let i: u32 = 0; i < 12; i++) expect(validatorAt(i).cluster).toBe(i < 6 ? 6 : 12);
    judge(0, 11, 50, 0);
    rollClusters(LAUNCH + 2 * DAY);
    for (let i: u32 = 0; i < 12; i++) expect(validatorAt(i).cluster).toBe(12);
  });

  it('are built at the first block of a day, and fixed until the next day', () => {
    setUp(2);
    const day = LAUNCH / DAY;
    expect(header().clusterDay).toBe(day);
    judge(0, 1, 50, 0);
    rollClusters((day + 1) * DAY - 1);
    expectClusters([0, 0]);
    rollClusters((day + 1) * DAY);
    expectClusters([2, 2]);
    judge(0, 1, 0, 10);
    rollClusters((day + 2) * DAY - 1);
    expectClusters([2, 2]);
    rollClusters((day + 9) * DAY);
    expectClusters([0, 0]);
  });

  it('keep their name for the remaining members when one leaves', () => {
    setUp(3);
    judge(0, 1, 50, 0);
    judge(1, 2, 50, 0);
    rollClusters(LAUNCH + DAY);
    expectClusters([3, 3, 3]);
    judge(1, 2, 0, 10);
    rollClusters(LAUNCH + 2 * DAY);
    expectClusters([2, 2, 0]);
  });

  it('ignore new pairs when the table of pairs is full', () => {
    setUp(12);
    for (let a: u32 = 0; a < 12; a++) for (let b: u32 = 0; b < a; b++) judge(a, b, 1, 0);
    expect(header().pairCount).toBe(50);
    judge(0, 1, 50, 0);
    judge(10, 11, 50, 0);
    rollClusters(LAUNCH + DAY);
    expect(inOneCluster(0, 1)).toBe(true);
    expect(isClustered(11)).toBe(false);
  });
});
