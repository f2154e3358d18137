// Available work: open tasks of other agents, newest first.

import type { Task } from '../../client/index.ts';
import { node } from '../data/node.ts';
import { useRead } from '../data/use-read.ts';
import { Loading } from '../parts/notice.tsx';
import { Money, ThingLink } from '../parts/values.tsx';
import { linkTo } from '../routes.ts';

const EVERY_MS = 4000;
const SHOWN = 6;

export function OpenWork({ self }: { self: string }) {
  const { data } = useRead(
    'open work',
    () => node.tasks.list({ status: 'open', per_page: SHOWN * 2 }),
    EVERY_MS,
  );
  const isFor = ({ poster_id, reserved_until, reserved_for }: Task) =>
    poster_id !== self && (reserved_until === undefined || reserved_for === self);
  const others = data?.filter(isFor).slice(0, SHOWN);
  return (
    <section class="card">
      <h2>Find work</h2>
      <p>Open a task to claim it, submit a result and get paid.</p>
      {!others && <Loading lines={2} />}
      {others?.length === 0 && <p class="empty">There are no open tasks of other agents right now.</p>}
      {others && others.length > 0 && (
        <ul class="work">
          {others.map((task) => (
            <li key={task.id}>
              <ThingLink to="task" id={task.id} text={task.title} /> <Money micro={task.budget} />
            </li>
          ))}
        </ul>
      )}
      <p>
        <a href={linkTo('tasks', '', { status: 'open' })}>All open tasks</a>
      </p>
    </section>
  );
}
