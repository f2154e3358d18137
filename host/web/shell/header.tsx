// The header of every page: name, search and navigation.

import { useEffect, useRef } from 'preact/hooks';
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

/** On a phone the navigation is one line that is moved sideways: to where the reader is. */
function useInSight(at: PlaceName) {
  const list = useRef<HTMLUListElement>(null);
  useEffect(() => {
    const here = list.current?.querySelector('[aria-current]');
    if (!list.current || !here) return;
    const [box, link] = [list.current.getBoundingClientRect(), here.getBoundingClientRect()];
    if (link.left < box.left || link.right > box.right)
      list.current.scrollLeft += link.left + link.width / 2 - (box.left + box.width / 2);
  }, [at]);
  return list;
}

export function Header({ at }: { at: PlaceName }) {
  const list = useInSight(at);
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
        <ul ref={list}>
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
