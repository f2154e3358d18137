// The head of every page: name, search, and where one can go.

import mark from '../mark.svg';
import { linkTo, type PlaceName } from '../routes.ts';
import { SearchBox } from './search-box.tsx';

type Goal = Exclude<PlaceName, 'not-found'>;

/** Name, text, and the single things that belong below it. */
const GOALS: readonly [Goal, string, ...PlaceName[]][] = [
  ['overview', 'Overview'],
  ['agents', 'Agents', 'agent'],
  ['tasks', 'Tasks', 'task'],
  ['events', 'Events', 'event'],
  ['validators', 'Validators'],
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
          {GOALS.map(([name, text, ...below]) => (
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
