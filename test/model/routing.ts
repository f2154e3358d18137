// The router's model joined to the tasks of the model: what opens and closes is passed on, and its assignments become events.
// Keeps: as in the core, once after each command, each timer, and at the opening of a vertex.

import * as abi from '../../assembly/abi.ts';
import { addBar, hasBarRow } from './bars.ts';
import { emit } from './events.ts';
import { RouterModel } from './router.ts';
import { backing } from './standing.ts';
import type { ModelState } from './state.ts';
import { lapseReservation } from './task-ends.ts';
import type { ModelTask } from './task-state.ts';

export class Routing {
  readonly router: RouterModel;
  #told = 0;

  constructor(readonly s: ModelState) {
    this.router = new RouterModel({
      agentId: (agent) => s.agents[agent]!.id,
      claimed: (agent) =>
        s.tasks.filter((t) => t.status === abi.TASK_CLAIMED && t.claimer?.index === agent).length,
      completed: (agent) => s.agents[agent]!.completed,
      backing: (agent) => backing(s.agents[agent]!.standing),
      record: (agent, category) => {
        const found = s.agents[agent]!.records.find((r) => s.categories[r.category] === category);
        return found && { ...found, scoreBp: BigInt(found.scoreSum) };
      },
    });
  }

  /** Open tasks that may be routed. */
  open(): ModelTask[] {
    const isReserved = (t: ModelTask): boolean => (t.flags & abi.TASK_RESERVED) !== 0;
    return this.s.tasks.filter((t) => t.status === abi.TASK_OPEN && !t.parent && !isReserved(t));
  }

  /** A step is over; `before` was open when it began. */
  after(before: ModelTask[]): void {
    for (const task of this.s.tasks) if (task.status !== abi.TASK_OPEN) task.exclusiveUntil = 0;
    for (const task of before) if (task.status !== abi.TASK_OPEN) this.router.closed(task.routed);
    for (const task of this.open()) if (!before.includes(task)) this.router.opened(task.routed);
    this.tell();
  }

  /** The exclusive time of an open task is over, or its reservation. */
  lapse(task: ModelTask): void {
    if ((task.flags & abi.TASK_RESERVED) !== 0) {
      lapseReservation(this.s, task);
      return;
    }
    task.exclusiveUntil = 0;
    const agent = this.s.agents[task.routed.routedTo!]!;
    this.router.lapsed(task.routed);
    addBar(this.s, task, agent, false);
  }

  vertex(): void {
    this.router.vertex();
    this.tell();
  }

  // Assignments that were taken back give up their promise; new ones are told in their order.
  tell(): void {
    const { s } = this;
    for (const task of this.open()) {
      if (task.assigned !== task.routed.routedTo) task.exclusiveUntil = 0;
      task.assigned = task.routed.routedTo;
    }
    for (; this.#told < this.router.routes.length; this.#told++) {
      const route = this.router.routes[this.#told]!;
      const task = s.tasks.find((t) => t.id === route.task)!;
      if ((task.flags & abi.TASK_EXCLUSIVE) !== 0 && hasBarRow(s)) {
        task.exclusiveUntil = s.now + s.param(abi.PARAM_ROUTING_EXCLUSIVE_SECS);
      }
      if (!this.router.announced.includes(route)) continue;
      const event = emit(s, abi.EVENT_TASK_ROUTED, 'task_routed', task.id);
      const reason = route.reason === 'newcomer' ? abi.ROUTE_NEWCOMER : abi.ROUTE_BEST_MATCH;
      event.task = { ...route, id: task.id, isNewcomer: route.isNewcomer ? 1 : 0, reason };
      delete event.task.task;
    }
  }
}
