// The whole page: follows the address, shows the place it names, and moves the focus there.

import type { FunctionComponent } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { AgentPage } from './pages/agent.tsx';
import { AgentsPage } from './pages/agents.tsx';
import { DagPage } from './pages/dag.tsx';
import { EventPage } from './pages/event.tsx';
import { EventsPage } from './pages/events.tsx';
import { MoneyPage } from './pages/money.tsx';
import { NotFoundPage } from './pages/not-found.tsx';
import { OverviewPage } from './pages/overview.tsx';
import { SearchPage } from './pages/search.tsx';
import { TaskPage } from './pages/task.tsx';
import { TasksPage } from './pages/tasks.tsx';
import { ValidatorPage } from './pages/validator.tsx';
import { ValidatorsPage } from './pages/validators.tsx';
import { VerifyPage } from './pages/verify.tsx';
import { VertexPage } from './pages/vertex.tsx';
import { WalletPage } from './pages/wallet.tsx';
import { type Place, type PlaceName, placeOf } from './routes.ts';
import { Footer } from './shell/footer.tsx';
import { Header } from './shell/header.tsx';
import { resumeCheck } from './verify/session.ts';
import { VerifyStrip } from './verify/strip.tsx';

const PAGES: Readonly<Record<PlaceName, FunctionComponent<{ place: Place }>>> = {
  overview: OverviewPage,
  agents: AgentsPage,
  agent: AgentPage,
  tasks: TasksPage,
  task: TaskPage,
  events: EventsPage,
  event: EventPage,
  validators: ValidatorsPage,
  validator: ValidatorPage,
  dag: DagPage,
  money: MoneyPage,
  vertex: VertexPage,
  search: SearchPage,
  wallet: WalletPage,
  verify: VerifyPage,
  'not-found': NotFoundPage,
};
const NAME = 'Verified Work Settlement';

export function App() {
  const [place, setPlace] = useState(() => placeOf(location.hash));
  const main = useRef<HTMLElement>(null);
  const isFirst = useRef(true);
  const Page = PAGES[place.name];
  /** Another page of the same list is the same place; another item is a new one. */
  const at = `${place.name}/${place.id}`;

  useEffect(() => {
    const follow = (): void => {
      // The skip link is an anchor too, but not a place.
      if (location.hash !== '#main') setPlace(placeOf(location.hash));
    };
    addEventListener('hashchange', follow);
    return () => removeEventListener('hashchange', follow);
  }, []);

  useEffect(resumeCheck, []);

  // Runs at each new place.
  useEffect(() => {
    const title = main.current?.querySelector('h1');
    document.title = place.name === 'overview' ? NAME : `${title?.textContent ?? place.name} · ${NAME}`;
    if (!isFirst.current) {
      scrollTo(0, 0);
      title?.focus();
    }
    isFirst.current = false;
  }, [at]);

  return (
    <>
      {/* biome-ignore lint/a11y/useValidAnchor: an anchor within the page that is not a hash route. */}
      <a
        class="skip"
        href="#main"
        onClick={(event) => {
          event.preventDefault();
          main.current?.focus();
        }}
      >
        Skip to content
      </a>
      <Header at={place.name} />
      <main id="main" ref={main} tabIndex={-1}>
        <VerifyStrip />
        <Page key={at} place={place} />
      </main>
      <Footer />
    </>
  );
}
