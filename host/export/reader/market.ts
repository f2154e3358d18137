// Listings in an export (protocol 3.8).

import type { ReadArgs, Reply } from '../../api/route.ts';
import { ServiceError } from '../../errors.ts';
import { normalName } from '../../wire/category.ts';
import { agentIdOf } from './agents.ts';
import { Conditions, document, documentsOf } from './answers.ts';
import type { Snapshot } from './snapshot.ts';

export async function listing(s: Snapshot, { path }: ReadArgs): Promise<Reply> {
  const agent = await agentIdOf(s, path.agent_id!);
  const [row] =
    agent === undefined
      ? []
      : await s.rows<{ doc: string }>('select doc from listing where id = $1', [agent]);
  if (!row) throw new ServiceError('listing_not_found');
  return document(row.doc);
}

/** As a node: what contains the text, in whatever place of a word; full text of the database would find words only. */
export function search(s: Snapshot, { page, query }: ReadArgs): Promise<Reply> {
  const text = String(query.q ?? '').toLowerCase();
  const where = new Conditions()
    .add('active = ?', 1)
    .add('category = ?', query.category === undefined ? undefined : normalName(String(query.category)))
    .add('words like ?', text === '' ? undefined : `%${text.replace(/[\\%_]/g, '\\$&')}%`);
  return documentsOf(s, { table: 'listing', where, sortedBy: ['updated_at', 'desc'], page });
}

export async function categories(s: Snapshot, { page }: ReadArgs): Promise<Reply> {
  const rows = await s.rows<{ category: string; listings: number; total: number }>(
    `select category, count(*) as listings, count(*) over () as total from listing
     where active = 1 group by category order by category collate "C" limit ${page.size} offset ${page.offset}`,
  );
  const [counted] =
    rows.length > 0
      ? rows
      : await s.rows<{ total: number }>(
          'select count(distinct category) as total from listing where active = 1',
        );
  return {
    body: Object.fromEntries(rows.map(({ category, listings }) => [category, listings])),
    total: counted!.total,
  };
}
