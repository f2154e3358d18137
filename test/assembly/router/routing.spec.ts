// Who gets a task: the rules of protocol 4.5, 6.16 and 7.7 on small markets.

import { CAPABILITY_NOT_FOUND, OK, TASK_CLAIMED } from '../../../assembly/abi';
import { setOutputBytes } from '../../../assembly/io/output';
import { addAgent } from '../../../assembly/ledger/agents';
import { figures, MAX_WAKES } from '../../../assembly/router/header';
import { search } from '../../../assembly/router/search';
import { notifyRouter } from '../../../assembly/run/routing';
import { lapseExclusivity } from '../../../assembly/tasks/routing';
import { moveTo } from '../../../assembly/tasks/status';
import { freshState, LAUNCH, newAgent, TOKEN } from '../support/state';
import {
  category,
  labelOfCategory,
  lastAgent,
  offer,
  post,
  postExclusive,
  setAvailable,
  setBacking,
  setRecord,
  withdraw,
} from './market';

const CODE: u64 = 1000;
const DATA: u64 = 2000;
const TAG: u64 = 30000;
const OTHER_TAG: u64 = 40000;
const POSTER: u32 = 0;
const KEY: usize = memory.data(32, 8);
const NAME: usize = memory.data(8, 8);

// Agent 0 posts, agents 1 to `count` may offer; their ids are in that order.
function setUp(count: u64): void {
  freshState();
  for (let i: u64 = 0; i <= count; i++) newAgent(i + 1, 0, 0);
}

describe('the best match', () => {
  it('is the cheaper of two; its score is 4000 + 1125 + 1500', () => {
    setUp(2);
    offer(1, CODE, TOKEN, 1);
    offer(2, CODE, TOKEN / 2, 1);
    expect(post(1, POSTER, CODE, 2 * TOKEN).routedTo).toBe(3);
    expect(search().bestScore).toBe(6625);
  });

  it('is the first id among equals, free-form ids among hex ones', () => {
    setUp(3);
    // "/" comes before all hex digits.
    store<u64>(KEY, 999);
    store<u8>(NAME, 47);
    addAgent(KEY, KEY, NAME, 1, LAUNCH);
    const free = lastAgent();
    for (let agent: u32 = 3; agent >= 1; agent--) offer(agent, CODE, 0, 1);
    expect(post(1, POSTER, CODE, TOKEN).routedTo).toBe(2);
    offer(free, CODE, 0, 1);
    expect(post(2, POSTER, CODE, TOKEN).routedTo).toBe(free + 1);
  });

  it('depends on the record in the category, and respects the ceiling of each agent', () => {
    setUp(2);
    const code = category(99);
    const label = labelOfCategory(code);
    offer(1, label, 0, 1);
    offer(2, label, 0, 1);
    setRecord(2, code, 10, 0, 9000);
    expect(post(1, POSTER, label, TOKEN).routedTo).toBe(3);
    // (6 * 9000 + 4 * 10000) / 10 = 9400, of 3000: 2820
    expect(search().bestScore).toBe(4000 + 2820 + 1500 + 1500);
    expect(post(2, POSTER, label, 20 * TOKEN).routedTo).toBe(3);
    expect(post(3, POSTER, label, 20 * TOKEN + 1).routedTo).toBe(0);
  });

  it('counts a record, and its completions, only as far as standing backs them', () => {
    setUp(2);
    const code = category(99);
    const label = labelOfCategory(code);
    offer(1, label, 0, 1);
    offer(2, label, 0, 1);
    setRecord(2, code, 200, 0, 9000);
    setBacking(2, 0);
    // Without standing: the first id, and no task above 2 tokens.
    expect(post(1, POSTER, label, TOKEN).routedTo).toBe(2);
    expect(search().bestScore).toBe(4000 + 1500 + 1500);
    expect(post(2, POSTER, label, 2 * TOKEN + 1).routedTo).toBe(0);
    // A tenth: ten completions, and a tenth of 2820.
    setBacking(2, 1000);
    expect(post(3, POSTER, label, 20 * TOKEN).routedTo).toBe(3);
    expect(search().bestScore).toBe(4000 + 282 + 1500 + 1500);
    expect(post(4, POSTER, label, 20 * TOKEN + 1).routedTo).toBe(0);
    setBacking(2, 10000);
    expect(post(5, POSTER, label, 5000 * TOKEN).routedTo).toBe(3);
  });

  it('may match by a tag only: 2000 instead of 4000', () => {
    setUp(2);
    offer(1, DATA, 0, 1, TAG);
    offer(2, DATA, 0, 1, OTHER_TAG);
    expect(post(1, POSTER, CODE, TOKEN, 0, TAG).routedTo).toBe(2);
    expect(search().bestScore).toBe(2000 + 1500 + 1500);
    expect(post(2, POSTER, CODE, TOKEN).routedTo).toBe(0);
  });

  it('is never the poster, nor an agent that is full, unavailable or too expensive', () => {
    setUp(3);
    offer(POSTER, CODE, 0, 1);
    offer(1, CODE, TOKEN + 1, 1);
    offer(2, CODE, 0, 1);
    setAvailable(2, false);
    offer(3, CODE, 0, 1);
    const first = post(1, POSTER, CODE, TOKEN);
    expect(first.routedTo).toBe(4);
    first.claimer = 4;
    first.claimDeadlineSecs = LAUNCH + 600;
    moveTo(first, TASK_CLAIMED);
    notifyRouter();
    expect(post(2, POSTER, CODE, TOKEN).routedTo).toBe(0);
    expect(figures().waiting).toBe(1);
  });
});

describe('newcomers', () => {
  it('get every fifth routing of up to 5 tokens, by their own formula', () => {
    setUp(3);
    const code = category(99);
    const label = labelOfCategory(code);
    offer(1, label, 0, 1);
    setRecord(1, code, 20, 0, 10000);
    offer(2, label, 0, 1, TAG);
    offer(3, label, 0, 1);
    for (let i: u64 = 1; i <= 4; i++) expect(post(i, POSTER, label, TOKEN).routedTo).toBe(2);
    // A large budget does not count.
    expect(post(5, POSTER, label, 6 * TOKEN).routedTo).toBe(2);
    expect(post(6, POSTER, label, TOKEN, 0, OTHER_TAG, TAG).routedTo).toBe(3);
    expect(search().bestScore).toBe(5000 + 3000 + 1000);
    expect(figures().newcomerRoutes).toBe(1);
    for (let i: u64 = 7; i <= 10; i++) expect(post(i, POSTER, label, TOKEN).routedTo).toBe(2);
    expect(figures().routed).toBe(10);
    expect(figures().smallRoutings).toBe(9);
  });

  it('leave their turn to the best match when there are none', () => {
    setUp(1);
    const code = category(99);
    offer(1, labelOfCategory(code), 0, 1);
    setRecord(1, code, 20, 0, 10000);
    for (let i: u64 = 1; i <= 6; i++) expect(post(i, POSTER, labelOfCategory(code), TOKEN).routedTo).toBe(2);
    expect(figures().newcomerRoutes).toBe(0);
  });
});

describe('a registration', () => {
  it('is taken while as many labels as possible are awake, and wakes its own no more', () => {
    setUp(2);
    const task = post(1, POSTER, CODE, TOKEN);
    figures().wakesLive = MAX_WAKES;
    expect(offer(1, CODE, 0, 1, TAG)).toBe(OK);
    expect(task.routedTo).toBe(0);
    setAvailable(1, false);
    expect(setAvailable(1, true)).toBe(OK);
    expect(task.routedTo).toBe(0);
    figures().wakesLive = 0;
    setAvailable(1, false);
    expect(setAvailable(1, true)).toBe(OK);
    expect(task.routedTo).toBe(2);
  });
});

describe('waiting tasks', () => {
  it('are routed when a capability is registered or becomes available', () => {
    setUp(2);
    const task = post(1, POSTER, CODE, TOKEN);
    const other = post(2, POSTER, DATA, TOKEN);
    offer(1, CODE, 0, 1);
    expect(task.routedTo).toBe(2);
    expect(other.routedTo).toBe(0);
    offer(2, DATA, 2 * TOKEN, 1);
    expect(other.routedTo).toBe(0);
    offer(2, DATA, 0, 1);
    expect(other.routedTo).toBe(3);
    setAvailable(1, false);
    const later = post(3, POSTER, CODE, TOKEN);
    expect(later.routedTo).toBe(0);
    setAvailable(1, true);
    expect(later.routedTo).toBe(2);
  });

  it('wait again when the agent is removed, and may be assigned to it again', () => {
    setUp(1);
    offer(1, CODE, 0, 1);
    const task = post(1, POSTER, CODE, TOKEN);
    expect(withdraw(1)).toBe(OK);
    expect(task.routedTo).toBe(0);
    expect(figures().waiting).toBe(1);
    expect(withdraw(1)).toBe(CAPABILITY_NOT_FOUND);
    expect(setAvailable(1, true)).toBe(CAPABILITY_NOT_FOUND);
    offer(1, CODE, 0, 1);
    expect(task.routedTo).toBe(2);
  });

  it('are not assigned again to the agent whose exclusive time lapsed', () => {
    setUp(2);
    offer(1, CODE, 0, 1);
    const task = postExclusive(1, POSTER, CODE, TOKEN);
    expect(task.routedTo).toBe(2);
    expect(task.exclusiveUntilSecs > LAUNCH - 1).toBe(true);
    setOutputBytes(0);
    lapseExclusivity(task);
    notifyRouter();
    expect(task.routedTo).toBe(0);
    offer(1, CODE, 0, 1);
    expect(task.routedTo).toBe(0);
    offer(2, CODE, 0, 1);
    expect(task.routedTo).toBe(3);
  });
});
