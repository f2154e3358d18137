// The header of every page: name, search and navigation.

import mark from '../mark.svg';
import { linkTo, type PlaceName } from '../routes.ts';
import { SearchBox } from './search-box.tsx';

type Target = Exclude<PlaceName, 'not-found'>;

/** Place, label, and the places for single items that belong to it. */
const TARGETS: readonly [Target, string, ...PlaceName[]][] = [
  ['overview', 'Overview'],
  ['agents', 'Agents', 'agent'],
  ['tasks', 'Tasks', 'task'],
  ['events', 'Events', 'event'],
  ['money', 'Money'],
  ['validators', 'Validators', 'validator'],
  ['dag', 'DAG', 'vertex'],
  ['verify', 'Verify'],
  ['wallet', 'Wallet'],
];

export function Header({ at }: { at: PlaceName }) {
  return (
    <header class="head">
      <div class="head-row">
        <a class="brand" href={linkTo('overview')}>
          <img src={mark} alt="" width="28" height="28" />
          <span>Verified Work Settlement</span>
        </a>
        <SearchBox />
      </div>
      <nav aria-label="Main">
        <ul>
          {TARGETS.map(([name, text, ...below]) => (
            <li key={name}>
              <a
                href={linkTo(name)}
                aria-current={name === at ? 'page' : below.includes(at) ? 'true' : undefined}
              >
                {text}
              </a>
            </li>
          ))}
        </ul>
      </nav>
    </header>
  );
}
