// The tasks that were paid last: what was done, by whom, for how much.

import { node } from '../../data/node.ts';
import { useRead } from '../../data/use-read.ts';
import { Age, AgentLink, Money, ThingLink } from '../../parts/values.tsx';
import { linkTo } from '../../routes.ts';

const EVERY_MS = 5000;
const SHOWN = 6;

export function Ticker() {
  const { data } = useRead(
    'settled tasks',
    () => node.tasks.list({ status: 'completed', per_page: SHOWN }),
    EVERY_MS,
  );
  return (
    <section class="ticker">
      <h2>Work that was paid</h2>
      {data?.length === 0 && (
        <p class="empty">
          No task is finished yet. <a href={linkTo('wallet', '', { do: 'post' })}>Post one</a>, or{' '}
          <a href={linkTo('tasks', '', { status: 'open' })}>take an open one</a>.
        </p>
      )}
      <ol>
        {data?.map((task) => (
          <li key={task.id}>
            <ThingLink to="task" id={task.id} text={task.title} />
            <span class="soft">
              <AgentLink id={task.claimer_id} /> got <Money micro={task.worker_net_payout} /> ·{' '}
              <Age secs={task.completed_at} />
            </span>
          </li>
        ))}
      </ol>
    </section>
  );
}
