// Indexes of the lists that readers page by a filter: each has the rows of one list in the order of its pages.
// Keeps: a filter of a route has an index that begins with its column; test/export/history.long.ts asks with each of them.

import type { MigrationBuilder } from 'node-pg-migrate';

export const up = (pgm: MigrationBuilder): void => {
  pgm.sql(`
create index task_by_poster_status on task (poster, status, number desc);
create index task_by_claimer_status on task (claimer, status, number desc);
create index task_by_status_category on task (status, category, number desc);
create index task_by_status_lane on task (status, lane, number desc);
create index task_by_category_lane on task (category, lane, number desc);
create index challenge_by_status on challenge (status, number desc);
create index challenge_by_target on challenge (target, number desc);
create index challenge_by_challenger on challenge (challenger, number desc);
create index replay_job_by_status on replay_job (status, number desc);
create index replay_job_by_executor on replay_job (executor, number desc);
drop index listing_by_update;
drop index listing_by_category;
create index listing_by_update on listing (active, updated_at desc, id collate "C");
create index listing_in_category on listing (active, category);
create index listing_by_category on listing (active, category, updated_at desc, id collate "C");
`);
};

export const down = false;
