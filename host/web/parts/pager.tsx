// Pagination of a long list.

import { linkTo, type Place, type PlaceName } from '../routes.ts';
import { formatCount } from '../text/amount.ts';

export const PER_PAGE = 25;

export const pageOf = (place: Place): number =>
  Math.max(1, Number.parseInt(place.query.page ?? '1', 10) || 1);

export function Pager({ place, total }: { place: Place; total: number | undefined }) {
  const page = pageOf(place);
  const last = Math.max(1, Math.ceil((total ?? 0) / PER_PAGE));
  if (total === undefined || (last === 1 && page === 1)) return null;
  const to = (n: number): string =>
    linkTo(place.name as Exclude<PlaceName, 'not-found'>, place.id, {
      ...place.query,
      page: n === 1 ? undefined : n,
    });
  return (
    <nav class="pager" aria-label="Pages">
      {page > 1 ? <a href={to(page - 1)}>Previous</a> : <span class="soft">Previous</span>}
      <span>
        Page {formatCount(page)} of {formatCount(last)}
      </span>
      {page < last ? <a href={to(page + 1)}>Next</a> : <span class="soft">Next</span>}
    </nav>
  );
}
