// One choice that narrows a list, kept in the address so that it can be shared.

import { linkTo, type Place, type PlaceName } from '../routes.ts';
import { words } from '../text/words.ts';

export function Filter(props: {
  place: Place;
  /** Member of the query. */
  name: string;
  label: string;
  values: readonly string[];
  /** Text of no choice. */
  all: string;
}) {
  const { place, name, label, values, all } = props;
  return (
    <label class="filter">
      <span>{label}</span>
      <select
        value={place.query[name] ?? ''}
        onChange={(event) => {
          const goal = place.name as Exclude<PlaceName, 'not-found'>;
          location.hash = linkTo(goal, place.id, {
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
