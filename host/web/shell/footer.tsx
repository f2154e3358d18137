// The footer of every page: the node's other documents, and the theme switch.

import { ThemeSwitch } from './theme-switch.tsx';

export function Footer() {
  return (
    <footer class="foot">
      <nav aria-label="More from this node">
        <a href="/docs">API</a>
        <a href="/openapi.json">openapi.json</a>
        <a href="/metrics">Metrics</a>
      </nav>
      <p>Amounts are in tokens, exact to one millionth. Times are in your zone; point at one for UTC.</p>
      <p>
        Lists and their order, search, ranks and statistics are what this node says. Balances and tasks can be{' '}
        <a href="#/verify">verified</a>.
      </p>
      <ThemeSwitch />
    </footer>
  );
}
