// A select that filters or sorts a list; the choice is kept in the address so that it can be shared.

import { linkTo, type Place, type PlaceName } from '../routes.ts';
import { words } from '../text/words.ts';

export function Filter(props: {
  place: Place;
  /** Query parameter. */
  name: string;
  label: string;
  values: readonly string[];
  /** Label for no choice. */
  all: string;
}) {
  const { place, name, label, values, all } = props;
  return (
    <label class="filter">
      <span>{label}</span>
      <select
        value={place.query[name] ?? ''}
        onChange={(event) => {
          const target = place.name as Exclude<PlaceName, 'not-found'>;
          location.hash = linkTo(target, place.id, {
            ...place.query,
            page: undefined,
            [name]: event.currentTarget.value,
          });
        }}
      >
        <option value="">{all}</option>
        {values.map((value) => (
          <option key={value} value={value}>
            {words(value)}
          </option>
        ))}
      </select>
    </label>
  );
}
