// What a database was exported from: the verifier, or the stream of a node that was trusted, which names no places in the
// order (docs/operate/export.md).

import type { MigrationBuilder } from 'node-pg-migrate';

export const up = (pgm: MigrationBuilder): void => {
  pgm.sql(`
alter table export_state add column source text not null default 'verified';
alter table event alter column ord drop not null;
alter table event alter column idx drop not null;
`);
};

export const down = false;
