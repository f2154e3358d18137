import { describe, expect, test } from 'vitest';
import type { DagVertex } from '../../../host/core/consensus.ts';
import { Frontier } from '../../../host/ordering/frontier.ts';
import { firstSeqOf } from '../../../host/wire/seq.ts';

const id = (n: number): Uint8Array => {
  const bytes = new Uint8Array(32);
  new DataView(bytes.buffer).setUint32(0, n);
  return bytes;
};

function vertex(
  n: number,
  creator: number,
  seq: number,
  parents: readonly number[],
  work = false,
): DagVertex {
  return { id: id(n), creator, seq, lamport: 1, timeMs: n, work, parents: parents.map(id) };
}

const creators = (frontier: Frontier): number[] => frontier.choosable(0).map((head) => head.creator);

describe('frontier', () => {
  test('heads of others are offered until the own head includes them, longest waiting first', () => {
    const frontier = new Frontier(() => true);
    frontier.add(vertex(1, 2, 1, []), false);
    frontier.add(vertex(2, 1, 1, []), false);
    expect(creators(frontier)).toEqual([2, 1]);
    frontier.add(vertex(3, 0, 1, [1]), true);
    expect(creators(frontier)).toEqual([1]);
    frontier.add(vertex(4, 2, 2, [1, 2]), false);
    frontier.add(vertex(5, 0, 2, [3, 4]), true);
    expect(creators(frontier)).toEqual([]);
    expect(frontier.own).toEqual({ ...frontier.own, seq: 2, id: id(5) });
  });

  test('work is unfinished until it is ordered', () => {
    const frontier = new Frontier(() => true);
    frontier.add(vertex(1, 1, 1, [], true), false);
    frontier.add(vertex(2, 0, 1, [1]), true);
    expect(frontier.hasUnfinishedWork(0)).toBe(true);
    frontier.ordered([id(1)]);
    expect(frontier.hasUnfinishedWork(0)).toBe(false);
  });

  test('what a seat was built on at a moment is settled once its work is ordered, whatever comes later', () => {
    const frontier = new Frontier(() => true);
    frontier.add(vertex(1, 1, 1, [], true), false);
    frontier.add(vertex(2, 2, 1, [1], true), false);
    frontier.add(vertex(3, 2, 2, [2]), false);
    const isSettled = frontier.settling(2);
    const isNothing = frontier.settling(3);
    frontier.add(vertex(4, 2, 3, [3], true), false);
    expect([isSettled(), isNothing()]).toEqual([false, true]);
    frontier.ordered([id(1)]);
    expect(isSettled()).toBe(false);
    frontier.ordered([id(2)]);
    expect([isSettled(), frontier.settling(2)()]).toEqual([true, false]);
    // A seat that forked proves nothing by what it was built on.
    const isOfCheater = frontier.settling(2);
    frontier.add(vertex(5, 2, 3, [3], true), false);
    expect(isOfCheater()).toBe(true);
  });

  test('a seat that forks is not chosen as a parent, and its orphaned work does not keep the network busy', () => {
    const frontier = new Frontier(() => true);
    frontier.add(vertex(1, 1, 1, [], true), false);
    expect(frontier.hasUnfinishedWork(0)).toBe(true);
    frontier.add(vertex(2, 1, 1, [], true), false);
    expect([frontier.isCheater(1), creators(frontier), frontier.hasUnfinishedWork(0)]).toEqual([
      true,
      [],
      false,
    ]);
    // Under a head of an honest seat it counts again.
    frontier.add(vertex(3, 2, 1, [1]), false);
    expect(frontier.hasUnfinishedWork(0)).toBe(true);
  });

  test('a head over a flood of a cheater is not chosen while there is another', () => {
    const frontier = new Frontier(() => true);
    frontier.add(vertex(1, 1, 1, []), false);
    frontier.add(vertex(2, 1, 1, []), false);
    for (let i = 0; i < 60; i++) frontier.add(vertex(10 + i, 1, 2 + i, [i === 0 ? 1 : 9 + i]), false);
    frontier.add(vertex(100, 2, 1, [69]), false);
    frontier.add(vertex(101, 3, 1, [12]), false);
    expect(creators(frontier)).toEqual([3]);
    frontier.add(vertex(102, 0, 1, [101]), true);
    expect(creators(frontier)).toEqual([2]);
  });

  test('a seat that resumes is offered with its newest vertex; what it lost makes no cheater of it', () => {
    const frontier = new Frontier(() => true);
    expect(frontier.add(vertex(1, 1, 1, []), false)).toBe('newest');
    expect(frontier.add(vertex(2, 1, firstSeqOf(1), [1]), false)).toBe('newest');
    expect(frontier.add(vertex(3, 1, 2, [1]), false)).toBe('late');
    expect([frontier.isCheater(1), creators(frontier)]).toEqual([false, [1]]);
    expect(frontier.choosable(0)[0]!.id).toEqual(id(2));
    expect(frontier.add(vertex(4, 1, 2, [1]), false)).toBe('repeated');
    expect([frontier.isCheater(1), creators(frontier)]).toEqual([true, []]);
  });

  test('a seat with more than four incarnations is not chosen while the others are a quorum', () => {
    let without: number[] = [];
    let isQuorum = true;
    const frontier = new Frontier((seats) => {
      without = [...seats];
      return isQuorum;
    });
    // Incarnations 0, 2, 3 and 4, and then one that was left out.
    for (const [i, incarnation] of [0, 2, 3, 4].entries()) {
      frontier.add(vertex(1 + i, 1, firstSeqOf(incarnation), i === 0 ? [] : [i]), false);
    }
    frontier.add(vertex(10, 2, 1, []), false);
    expect(creators(frontier)).toEqual([1, 2]);
    frontier.add(vertex(11, 1, firstSeqOf(1), [1]), false);
    expect([creators(frontier), without]).toEqual([[2], [1]]);
    isQuorum = false;
    expect(creators(frontier)).toEqual([1, 2]);
  });

  test('nor a head over many vertices of such seats, while there is another', () => {
    const frontier = new Frontier(() => true);
    for (let i = 1; i <= 49; i++) frontier.add(vertex(i, 1, firstSeqOf(i), []), false);
    frontier.add(vertex(100, 2, 1, [1]), false);
    for (let i = 2; i <= 49; i++) frontier.add(vertex(99 + i, 2, i, [98 + i, i]), false);
    frontier.add(vertex(200, 3, 1, []), false);
    expect(creators(frontier)).toEqual([3]);
    frontier.add(vertex(201, 0, 1, [200]), true);
    expect(creators(frontier)).toEqual([2]);
  });

  test('the own head is restored after a restart', () => {
    const frontier = new Frontier(() => true);
    frontier.add(vertex(1, 1, 1, []), false);
    frontier.add(vertex(2, 0, 1, [1]), false);
    frontier.resumeOwn(id(2));
    expect([frontier.own?.seq, creators(frontier)]).toEqual([1, []]);
  });

  test('tips are the vertices without a child, whatever was ordered', () => {
    const frontier = new Frontier(() => true);
    expect(frontier.tips()).toEqual([]);
    frontier.add(vertex(1, 0, 1, []), true);
    frontier.add(vertex(2, 1, 1, []), false);
    frontier.add(vertex(3, 0, 2, [1]), true);
    expect(frontier.tips()).toEqual([id(2), id(3)]);
    frontier.ordered([id(1), id(2)]);
    frontier.add(vertex(4, 1, 2, [2, 3]), false);
    expect(frontier.tips()).toEqual([id(4)]);
  });

  test('lamport numbers are known for all possible parents', () => {
    const frontier = new Frontier(() => true);
    frontier.add(vertex(1, 0, 1, []), true);
    frontier.ordered([id(1)]);
    expect(frontier.lamportOf(id(1))).toBe(1);
    frontier.add(vertex(2, 0, 2, [1]), true);
    expect(() => frontier.lamportOf(id(1))).toThrow(/is not a head/);
  });
});
