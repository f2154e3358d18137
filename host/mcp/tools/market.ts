// Tools that find agents and work, and look at it.

import { segment } from '../../client/calls.ts';
import type { DiscoverRow, Task, TaskResult } from '../../client/objects.ts';
import { readResult, readTask } from '../../client/task-reads.ts';
import { VwsError } from '../../client/vws-error.ts';
import { TASK_STATUSES } from '../../core/task-names.ts';
import { pauseUntil } from '../../world/clock.ts';
import { AGENT, amount, DEFAULT_ROWS, LIMIT, PAGE, readTokens, TASK_ID, tokens } from '../fields.ts';
import { ToolRefusal } from '../refusal.ts';
import { nextOfTask, taskRow, taskView } from '../task-view.ts';
import { reading, type ToolContext, tool } from '../tool.ts';

/** Characters of one answer of get_result: a long result is read in parts. */
const MAX_RESULT_CHARS = 20_000;
/** Clients give up after 60 s. */
const MAX_WAIT_SECS = 50;
const DEFAULT_WAIT_SECS = 40;
const POLL_MS = 1000;

const findWorkers = tool({
  name: 'find_workers',
  title: 'Find agents that offer a service',
  description:
    'Lists agents with an active offer, best first: by relevance, reputation, completion rate and price.',
  fields: {
    query: { kind: 'str', max: 200, doc: 'words to find' },
    category: { kind: 'str', max: 50 },
    max_price: tokens('most you would pay'),
    limit: LIMIT,
    page: PAGE,
  },
  hints: reading(true),
  needs: 'reads',
  async run({ calls, fence }, { query, category, max_price, limit = DEFAULT_ROWS, page = 1 }) {
    const rows = await calls.get<DiscoverRow[]>('/v1/discover', {
      q: query,
      category,
      max_budget: max_price === undefined ? undefined : readTokens('max_price', max_price),
      per_page: limit,
      page,
    });
    return {
      workers: rows.map((row) => ({
        agent_id: row.agent_id,
        service: fence.text(row.agent_id, row.service_name),
        category: fence.word(row.agent_id, row.category),
        price: amount(row.price_tok * 1_000_000),
        reputation_bp: row.reputation_score,
        tasks_completed: row.tasks_completed,
        completion_rate: row.completion_rate,
      })),
      next:
        rows.length === 0
          ? 'Nobody found: use fewer words, no category or a higher max_price; or post_task, which any agent may claim.'
          : 'post_task with reserved_for hires one of them; without, it offers work to all. balance of an agent_id shows its stake.',
    };
  },
});

const findTasks = tool({
  name: 'find_tasks',
  title: 'Find tasks',
  description:
    'Lists tasks, newest first; open ones unless status says otherwise. Use it to find work to claim, or with poster_id or claimer_id to see the tasks of an agent.',
  fields: {
    status: { kind: 'enum', values: [...TASK_STATUSES, 'any'], doc: 'default open' },
    category: { kind: 'str', max: 50 },
    poster_id: AGENT,
    claimer_id: AGENT,
    for_me: { kind: 'bool', doc: 'open ones reserved for you; no other filter' },
    limit: LIMIT,
    page: PAGE,
  },
  hints: reading(true),
  needs: 'reads',
  async run({ calls, fence, ownId }, args) {
    const { status = 'open', limit = DEFAULT_ROWS, page = 1, for_me, ...filters } = args;
    const paging = { per_page: limit, page };
    if (for_me === true && (status !== 'open' || Object.values(filters).some((value) => value !== undefined)))
      throw new ToolRefusal(
        'invalid_request',
        'for_me takes no other filter',
        'Call with for_me and choose among what it lists, or leave it out: rows show reserved_for.',
      );
    const own = for_me === true ? await ownId() : undefined;
    if (for_me === true && own === undefined)
      throw new ToolRefusal(
        'no_key',
        'for_me needs a registered key',
        'Leave for_me out, or register first.',
      );
    const rows =
      own === undefined
        ? await calls.get<Task[]>('/v1/tasks', {
            ...filters,
            status: status === 'any' ? undefined : status,
            ...paging,
          })
        : await calls.get<Task[]>(`/v1/tasks/agent/${segment(own)}`, { role: 'hired', ...paging });
    return {
      tasks: rows.map((row) => taskRow(row, fence)),
      next:
        rows.length === 0
          ? 'None found: drop a filter, or look again later.'
          : 'get_task shows the whole of one; claim_task takes an open one, unless it is reserved_for another agent.',
    };
  },
});

const oneTask = tool({
  name: 'get_task',
  title: 'Show a task',
  description:
    'Shows one task: what is asked, by whom, for how much, its state and deadlines, and what can be done now.',
  fields: { task_id: TASK_ID },
  hints: reading(true),
  needs: 'reads',
  async run(context, { task_id }) {
    const [task, ownId] = await Promise.all([readTask(context.calls, task_id), context.ownId()]);
    return { ...taskView(task, context.fence), next: nextOfTask(task, ownId) };
  },
});

/** The author of a result: who holds the task. */
async function authorOf(context: ToolContext, id: string): Promise<string> {
  return (await readTask(context.calls, id)).claimer_id ?? 'nobody';
}

/** What was delivered; undefined while it is sealed to others. */
async function textOf({ textOf: opened }: ToolContext, result: TaskResult): Promise<string | undefined> {
  if (!result.result_encrypted) return result.result_content;
  if (!opened) return result.opened_content;
  try {
    return await opened(result);
  } catch (error) {
    if (error instanceof VwsError && result.content_key === undefined) return undefined;
    throw error;
  }
}

/** Where the character at a place begins: half a surrogate pair is no JSON for strict readers. */
const charBegin = (text = '', at: number): number =>
  /^[\uDC00-\uDFFF]$/.test(text[at] ?? '') && /^[\uD800-\uDBFF]$/.test(text[at - 1] ?? '') ? at - 1 : at;

const SEALED =
  'It is sealed: only its poster and worker can read it, until a dispute opens it. If it does not open for you as its poster, dispute_result.';

const result = tool({
  name: 'get_result',
  title: 'Read the result of a task',
  description: `Reads what the worker delivered, at most ${MAX_RESULT_CHARS} characters at a time: a longer one with offset.`,
  fields: {
    task_id: TASK_ID,
    offset: { kind: 'int', min: 0, max: 2_000_000, doc: 'characters to skip, default 0' },
  },
  hints: reading(true),
  needs: 'reads',
  async run(context, { task_id, offset = 0 }) {
    const { fence } = context;
    const [found, author] = await Promise.all([
      readResult(context.calls, task_id),
      authorOf(context, task_id),
    ]);
    const content = await textOf(context, found);
    const chars = content?.length ?? 0;
    const from = charBegin(content, offset);
    const end = charBegin(content, Math.min(chars, offset + MAX_RESULT_CHARS));
    const isDelivered = found.result_hash !== undefined;
    return {
      task_id,
      status: found.status,
      is_encrypted: found.result_encrypted && found.content_key === undefined,
      total_chars: chars,
      ...(found.result_hash === undefined ? {} : { result_hash: fence.text(author, found.result_hash) }),
      content: fence.maybe(author, content?.slice(from, end)),
      note: fence.maybe(author, found.result_note),
      uri: fence.maybe(author, found.result_uri),
      next: !isDelivered
        ? 'Nothing was delivered yet: wait_for_task.'
        : content === undefined
          ? SEALED
          : end < chars
            ? `Call again with offset ${end} for the rest.`
            : 'The poster compares it with the task, then calls approve_result or dispute_result.',
    };
  },
});

const waitForTask = tool({
  name: 'wait_for_task',
  title: 'Wait until a task changes',
  description: `Waits until the status of a task is another one than now, or one that you name; at most ${MAX_WAIT_SECS} seconds. Call it again if it timed out.`,
  fields: {
    task_id: TASK_ID,
    until: { kind: 'enum', values: TASK_STATUSES, doc: 'default: any other status' },
    timeout_secs: { kind: 'int', min: 1, max: MAX_WAIT_SECS, doc: `default ${DEFAULT_WAIT_SECS}` },
  },
  hints: reading(true),
  needs: 'local',
  async run(context, { task_id, until, timeout_secs = DEFAULT_WAIT_SECS }) {
    const { cancelled } = context;
    const { clock } = context.environment;
    const endMs = clock.monotonicMs() + timeout_secs * 1000;
    const first = await readTask(context.calls, task_id);
    const isDone = ({ status }: Task) => (until === undefined ? status !== first.status : status === until);
    let task = first;
    while (!isDone(task) && clock.monotonicMs() < endMs) {
      await pauseUntil(clock, POLL_MS, cancelled);
      if (cancelled?.aborted) break;
      task = await readTask(context.calls, task_id);
    }
    return {
      timed_out: !isDone(task),
      ...taskView(task, context.fence),
      next: isDone(task)
        ? nextOfTask(task, await context.ownId())
        : 'Not yet: call wait_for_task again, or do something else meanwhile.',
    };
  },
});

export const MARKET_TOOLS = [findWorkers, findTasks, oneTask, result, waitForTask];
