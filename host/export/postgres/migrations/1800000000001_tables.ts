// The tables of an export (docs/operate/export.md). Events and postings are partitioned by seq, if that is wanted.
// Keeps: what was released never changes; a new form of a table is a new file with the next number.

import type { MigrationBuilder } from 'node-pg-migrate';

export const up = async (pgm: MigrationBuilder): Promise<void> => {
  const [{ partitioned } = { partitioned: 'off' }] = (await pgm.db.select(
    "select current_setting('vws.partitioned') as partitioned",
  )) as { partitioned: string }[];
  const parts = partitioned === 'on' ? 'partition by range (seq)' : '';
  pgm.sql(`
create table export_state (
  name text primary key,
  genesis text not null,
  partition_rows bigint not null,
  first_seq bigint not null,
  first_ord bigint not null,
  kept_from bigint not null,
  seq bigint not null,
  ord bigint not null,
  time_ms bigint not null,
  checkpoint_height bigint,
  checkpoint_root text,
  signed_height bigint not null default 0
);
create table event (
  seq bigint not null primary key,
  ord bigint not null,
  idx bigint not null,
  ts bigint not null,
  type text not null,
  event_id text not null,
  agent_id text not null,
  recipient_id text,
  task_id text,
  amount bigint,
  fee bigint,
  state text not null,
  by_agent bigint not null,
  by_type bigint not null,
  by_both bigint not null,
  doc json not null
) ${parts};
create index event_by_agent on event (agent_id, by_agent desc);
create index event_by_type on event (type, by_type desc);
create index event_by_both on event (agent_id, type, by_both desc);
create index event_by_task on event (task_id, seq desc);
create index event_by_id on event (event_id);
create table event_count (
  agent_id text not null,
  type text not null,
  events bigint not null,
  primary key (agent_id, type)
);
create table posting (
  seq bigint not null,
  ord bigint not null,
  n bigint not null,
  cause text,
  account text not null,
  amount bigint not null,
  primary key (seq, ord, n)
) ${parts};
create index posting_by_account on posting (account, seq desc, ord desc, n desc);
create table account (
  account text primary key,
  ord bigint not null,
  balance bigint not null
);
create table agent (
  id text primary key,
  ord bigint not null,
  name text,
  balance bigint,
  staked bigint,
  reputation bigint,
  first_seen bigint,
  last_active bigint,
  number bigint,
  key text,
  public_key text,
  address text,
  doc json not null
);
create index agent_by_key on agent (key);
create index agent_by_public_key on agent (public_key);
create index agent_by_address on agent (address);
create table task (
  id text primary key,
  ord bigint not null,
  status text,
  poster text,
  claimer text,
  category text,
  budget bigint,
  posted_at bigint,
  completed_at bigint,
  lane text,
  number bigint,
  hired text,
  content text,
  doc json not null
);
create index task_by_number on task (number desc);
create index task_by_status on task (status, number desc);
create index task_by_category on task (category, number desc);
create index task_by_lane on task (lane, number desc);
create index task_by_poster on task (poster, number desc);
create index task_by_claimer on task (claimer, number desc);
create index task_by_hired on task (hired, number desc);
create table listing (
  id text primary key,
  ord bigint not null,
  name text,
  category text,
  price_tok bigint,
  updated_at bigint,
  active bigint,
  words text,
  doc json not null
);
create index listing_by_update on listing (active, updated_at desc, id);
create index listing_by_category on listing (active, category, updated_at desc, id);
create table validator (
  id text primary key,
  ord bigint not null,
  agent text,
  status text,
  staked bigint,
  vote_weight bigint,
  registered_at bigint,
  doc json not null
);
create table challenge (
  id text primary key,
  ord bigint not null,
  status text,
  event_id text,
  task_id text,
  challenger text,
  target text,
  number bigint,
  doc json not null
);
create index challenge_by_number on challenge (number desc);
create index challenge_by_task on challenge (task_id, number desc);
create table replay_job (
  id text primary key,
  ord bigint not null,
  status text,
  task_id text,
  executor text,
  number bigint,
  doc json not null
);
create index replay_job_by_number on replay_job (number desc);
create index replay_job_by_task on replay_job (task_id, number desc);
create table run_count (
  id text primary key,
  ord bigint not null,
  runs bigint,
  passed bigint,
  doc json not null
);
create table activity (
  hour bigint primary key,
  volume bigint not null,
  events bigint not null
);
create table summary (
  id text primary key,
  ord bigint not null,
  doc json not null
);
create table checkpoint (
  height bigint primary key,
  ord bigint not null,
  time_ms bigint not null,
  state_root text not null,
  block_hash text not null,
  statement text not null,
  manifest_digest text not null,
  signatures json not null
);`);
};

/** An export that is not wanted any more is dropped with its schema. */
export const down = false;
