// Who holds what, by whole ids: an id may have colons of its own, and what such an agent holds is not that of the agent whose id
// is its beginning.

import type { MigrationBuilder } from 'node-pg-migrate';

export const up = (pgm: MigrationBuilder): void => {
  pgm.sql(`
create or replace view holder as
select substring(account from 7 for length(account) - 6
         - case when account like '%:balance' then 8 when account like '%:escrow' then 7 else 6 end) as agent,
       sum(balance) as amount
from account where account like 'agent:%' group by 1;
`);
};

export const down = false;
