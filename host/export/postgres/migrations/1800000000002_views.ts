// Views of the economy: what one likes to ask of a history (examples/analytics.sql).
// Keeps: times are timestamps in UTC, amounts micro-units; nothing here is stored.

import type { MigrationBuilder } from 'node-pg-migrate';

export const up = (pgm: MigrationBuilder): void => {
  pgm.sql(`
create view event_time as
select seq, ord, type, event_id, agent_id, recipient_id, task_id, amount, fee, state, doc,
       to_timestamp(ts) at time zone 'UTC' as at
from event;

create view posting_time as
select posting.seq, posting.ord, posting.n, posting.cause, posting.account, posting.amount,
       event_time.type, event_time.event_id = posting.cause as is_event, event_time.at
from posting join event_time on event_time.seq = posting.seq;

create view volume_by_hour as
select date_trunc('hour', at) as at, type, count(*) as events, coalesce(sum(amount), 0) as amount
from event_time where type in ('transfer', 'generation', 'task_posted', 'task_settled')
group by 1, 2;

create view fees_by_hour as
select date_trunc('hour', at) as at, account as pool, sum(amount) as amount
from posting_time
where amount > 0 and account in ('pool:treasury', 'pool:dispute', 'pool:canary')
group by 1, 2;

create view circulating as
select sum(balance) as amount from account where account like 'agent:%';

create view velocity_by_day as
select moved.at, moved.amount, moved.amount::numeric / nullif((select amount from circulating), 0) as velocity
from (
  select date_trunc('day', at) as at, sum(amount) as amount
  from posting_time where amount > 0 and account like 'agent:%:balance' and is_event
  group by 1
) as moved;

create view holder as
select split_part(account, ':', 2) as agent, sum(balance) as amount
from account where account like 'agent:%' group by 1;

create view concentration as
select count(*) as holders,
       coalesce(sum(amount) filter (where place <= 10), 0)::numeric / nullif(sum(amount), 0) as top_10,
       coalesce(sum(amount) filter (where place <= 100), 0)::numeric / nullif(sum(amount), 0) as top_100,
       2 * sum(place_up * amount)::numeric / nullif(count(*) * sum(amount), 0) - (count(*) + 1)::numeric / count(*) as gini
from (
  select amount, row_number() over (order by amount desc, agent) as place,
         row_number() over (order by amount, agent) as place_up
  from holder where amount > 0
) as ranked;

create view validator_income_by_day as
select date_trunc('day', posting_time.at) as at, validator.id as validator, sum(posting_time.amount) as amount
from posting_time
join validator on posting_time.account = 'agent:' || validator.agent || ':balance'
where posting_time.amount > 0 and posting_time.type in ('settlement', 'task_settled', 'replay_closed', 'challenge_resolved')
group by 1, 2;

create view disputes_by_day as
select date_trunc('day', at) as at,
       count(*) filter (where type = 'task_submitted') as submitted,
       count(*) filter (where type = 'task_disputed') as disputed,
       count(*) filter (where type = 'task_conceded') as conceded,
       count(*) filter (where type = 'challenge_opened') as challenges,
       count(*) filter (where type = 'slash') as slashes
from event_time group by 1;

create view settlement_time as
select date_trunc('hour', settled.at) as at, target.type,
       extract(epoch from settled.at - target.at) as seconds
from event_time as settled
join event_time as target on target.event_id = settled.doc->'payload'->>'target_event_id'
where settled.type = 'settlement';

create view task_time as
select id, category, budget, to_timestamp(completed_at) at time zone 'UTC' as at, completed_at - posted_at as seconds
from task where completed_at is not null;
`);
};

export const down = false;
