-- Questions to a database that `vws export` fills (docs/operate/export.md). Amounts are micro-units, 1,000,000 to a token.
-- psql "$DATABASE" -f examples/analytics.sql
set search_path to vws;

-- Is the ledger whole? No row, and 10^15.
select ord, cause from posting group by ord, cause having sum(amount) <> 0;
select sum(balance) from account;

-- Up to when, and up to which event.
select seq, ord, to_timestamp(time_ms / 1000) at time zone 'UTC' as at, checkpoint_height from export_state;

-- Volume by day and kind.
select date_trunc('day', at) as day, type, sum(events) as events, sum(amount) as amount
from volume_by_hour group by 1, 2 order by 1, 2;

-- What the treasury and the reserves took in.
select date_trunc('day', at) as day, pool, sum(amount) as amount from fees_by_hour group by 1, 2 order by 1, 2;

-- How fast money moves, and who holds it.
select * from velocity_by_day order by at;
select * from concentration;
select agent, amount from holder order by amount desc, agent limit 20;

-- What validators earn.
select validator, sum(amount) as income from validator_income_by_day group by 1 order by 2 desc, 1;

-- Disputes for each hundred deliveries.
select at, disputed, submitted, round(100.0 * disputed / nullif(submitted, 0), 2) as percent
from disputes_by_day order by at;

-- Time to settle.
select type, count(*) as settled,
       percentile_cont(0.5) within group (order by seconds) as p50,
       percentile_cont(0.99) within group (order by seconds) as p99
from settlement_time group by 1 order by 1;

-- The statement of one account, with its balance after each event: put in any account.
select posting.seq, event.type, posting.amount,
       sum(posting.amount) over (order by posting.seq, posting.ord, posting.n) as since_the_beginning
from posting left join event on event.seq = posting.seq
where posting.account = (select account from account where account like 'agent:%:balance' order by balance desc, account limit 1)
order by posting.seq, posting.ord, posting.n limit 100;

-- Posters that pay most, and workers that earn most.
select poster, count(*) as tasks, sum(budget) as budget from task where status = 'completed' group by 1 order by 3 desc, 1 limit 20;
select claimer, count(*) as tasks, sum(budget) as budget from task where status = 'completed' group by 1 order by 3 desc, 1 limit 20;

-- Tasks with a word in their text.
select id, doc->>'title' as title from task
where to_tsvector('simple', coalesce(doc->>'title', '') || ' ' || coalesce(doc->>'description', '')) @@ plainto_tsquery('simple', 'vessels')
order by posted_at desc, id limit 20;
