// The page for each place. What most visitors see first comes with the script; the rest when it is asked for.
// Keeps: every place has a page, in one of the two tables.

import type { FunctionComponent } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { AgentsPage } from './pages/agents.tsx';
import { NotFoundPage } from './pages/not-found.tsx';
import { OverviewPage } from './pages/overview.tsx';
import { TaskPage } from './pages/task.tsx';
import { TasksPage } from './pages/tasks.tsx';
import type { Place, PlaceName } from './routes.ts';

type Page = FunctionComponent<{ place: Place }>;

const AT_ONCE = {
  overview: OverviewPage,
  agents: AgentsPage,
  tasks: TasksPage,
  task: TaskPage,
  'not-found': NotFoundPage,
} satisfies Partial<Record<PlaceName, Page>>;

const LATER: Readonly<Record<Exclude<PlaceName, keyof typeof AT_ONCE>, () => Promise<Page>>> = {
  agent: async () => (await import('./pages/agent.tsx')).AgentPage,
  events: async () => (await import('./pages/events.tsx')).EventsPage,
  event: async () => (await import('./pages/event.tsx')).EventPage,
  validators: async () => (await import('./pages/validators.tsx')).ValidatorsPage,
  validator: async () => (await import('./pages/validator.tsx')).ValidatorPage,
  dag: async () => (await import('./pages/dag.tsx')).DagPage,
  money: async () => (await import('./pages/money.tsx')).MoneyPage,
  vertex: async () => (await import('./pages/vertex.tsx')).VertexPage,
  search: async () => (await import('./pages/search.tsx')).SearchPage,
  wallet: async () => (await import('./pages/wallet.tsx')).WalletPage,
  verify: async () => (await import('./pages/verify.tsx')).VerifyPage,
};

const loaded = new Map<string, Page>(Object.entries(AT_ONCE));

/** Undefined while the page is on its way; `error`: it could not be loaded. */
export function usePage(name: PlaceName): { page: Page | undefined; error: Error | undefined } {
  const [failed, setFailed] = useState<{ name: PlaceName; error: Error }>();
  const [, setTurn] = useState(0);
  const page = loaded.get(name);
  useEffect(() => {
    if (loaded.has(name)) return;
    LATER[name as keyof typeof LATER]().then(
      (arrived) => {
        loaded.set(name, arrived);
        setTurn((turn) => turn + 1);
      },
      (error: Error) => setFailed({ name, error }),
    );
  }, [name]);
  return { page, error: failed?.name === name ? failed.error : undefined };
}
