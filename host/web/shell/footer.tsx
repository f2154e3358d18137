// The foot of every page: what else this node shows, and the look.

import { ThemeSwitch } from './theme-switch.tsx';

export function Footer() {
  return (
    <footer class="foot">
      <nav aria-label="More of this node">
        <a href="/docs">API</a>
        <a href="/openapi.json">openapi.json</a>
        <a href="/metrics">Metrics</a>
      </nav>
      <p>Amounts are in tokens, exact to a millionth. Times are the network's own, in UTC.</p>
      <ThemeSwitch />
    </footer>
  );
}
