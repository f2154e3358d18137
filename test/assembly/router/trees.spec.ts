// The two trees of the router against linear scans, over many changes.

import { TASK_CLAIMED } from '../../../assembly/abi';
import { comesFirst } from '../../../assembly/router/agent-order';
import { numberOf } from '../../../assembly/router/header';
import { categoryKey, tagKey } from '../../../assembly/router/labels';
import { matchScore, NO_MATCH, newcomerScore } from '../../../assembly/router/match';
import { nextWaiting } from '../../../assembly/router/open-tasks';
import { findBest, findNewcomer, search } from '../../../assembly/router/search';
import { notifyRouter } from '../../../assembly/run/routing';
import { header } from '../../../assembly/state/header';
import { Task, tagLabel, taskAt } from '../../../assembly/tasks/rows';
import { moveTo } from '../../../assembly/tasks/status';
import { freshState, LAUNCH, newAgent, TOKEN } from '../support/state';
import { category, labelOfCategory, offer, post, setAvailable, setRecord, withdraw } from './market';

const SEED: usize = memory.data(8, 8);

// Labels that use all bits, like hashes.
function tag(number: u64): u64 {
  return ((number * 11) << 58) | (number << 1);
}

// Xorshift is enough to choose cases.
function chance(below: u32): u32 {
  let next = load<u64>(SEED);
  next ^= next << 13;
  next ^= next >> 7;
  next ^= next << 17;
  store<u64>(SEED, next);
  return <u32>(next >> 33) % below;
}

function bestByWalk(task: Task, isForNewcomer: bool): i32 {
  let best: i32 = -1;
  let bestScore = NO_MATCH;
  for (let agent: u32 = 0; agent < header().agentCount; agent++) {
    const score = isForNewcomer ? newcomerScore(task, agent) : matchScore(task, agent);
    const isAhead =
      score > bestScore || (score != NO_MATCH && score == bestScore && comesFirst(agent, <u32>best));
    if (!isAhead) continue;
    best = agent;
    bestScore = score;
  }
  return best;
}

function bestBySearch(task: Task, isForNewcomer: bool): i32 {
  const isFound = isForNewcomer ? findNewcomer(task) : findBest(task);
  return isFound ? <i32>search().best : -1;
}

function change(agent: u32, code: u32): void {
  const kind = chance(10);
  if (kind < 5) {
    const label = chance(3) == 0 ? <u64>778 : labelOfCategory(code);
    offer(agent, label, <u64>chance(4) * 700000, 1 + chance(2), tag(chance(4)), tag(4 * chance(2)));
  } else if (kind < 6) withdraw(agent);
  else if (kind < 7) setAvailable(agent, chance(2) == 0);
  else setRecord(agent, code, chance(15), chance(3), 7000 + chance(3000));
}

describe('a search', () => {
  it('finds the same agent as a scan over all', () => {
    freshState();
    store<u64>(SEED, 1);
    for (let i: u64 = 0; i < 30; i++) newAgent((i * 37) % 101, 0, 0);
    const code = category(99);
    const task = post(1, 0, labelOfCategory(code), 1, 0, tag(1), tag(2));
    for (let i: u32 = 0; i < 1500; i++) {
      change(1 + chance(29), code);
      task.budget = (TOKEN / 2) * (1 + chance(9));
      expect(bestBySearch(task, false)).toBe(bestByWalk(task, false));
      expect(bestBySearch(task, true)).toBe(bestByWalk(task, true));
      task.budget = 1;
    }
  });
});

// Row of the waiting task with the lowest number above `after` under a category or a tag.
function nextByWalk(label: u64, isTag: bool, after: u64): i32 {
  let found: i32 = -1;
  for (let row: u32 = 0; row < header().tasksUsed; row++) {
    const task = taskAt(row);
    const number = numberOf(task);
    if (number <= after || task.routedTo != 0) continue;
    let matches = !isTag && task.categoryLabel == label;
    for (let i: u32 = 0; isTag && i < task.tagCount; i++) if (tagLabel(task, i) == label) matches = true;
    if (matches && (found < 0 || number < numberOf(taskAt(<u32>found)))) found = row;
  }
  return found;
}

function take(task: Task): void {
  task.claimer = 1;
  task.claimDeadlineSecs = LAUNCH + 600;
  moveTo(task, TASK_CLAIMED);
  notifyRouter();
}

describe('waiting tasks', () => {
  it('are found in order under each label, while tasks open and close', () => {
    freshState();
    store<u64>(SEED, 2);
    newAgent(1, 0, 0);
    newAgent(2, 0, 0);
    for (let i: u32 = 0; i < 48; i++) {
      post(i + 1, 1, 100 + 2 * chance(3), TOKEN, 0, tag(1 + chance(3)), tag(1 + chance(3)));
      if (chance(3) == 0) {
        const task = taskAt(chance(header().tasksUsed));
        if (numberOf(task) != 0) take(task);
      }
      for (let k: u64 = 0; k < 3; k++) {
        const after = <u64>chance(50);
        expect(nextWaiting(categoryKey(100 + 2 * k), after)).toBe(nextByWalk(100 + 2 * k, false, after));
        expect(nextWaiting(tagKey(tag(1 + k)), after)).toBe(nextByWalk(tag(1 + k), true, after));
      }
    }
  });
});
