// The page at /: what this node sees right now. Plain HTML with links; a small script fills in live numbers.
// Keeps: everything from the API enters as text, never as markup; nothing is loaded from other hosts.

import { htmlPage } from './html.ts';

const CSS = `
main{max-width:60rem;margin:0 auto;padding:3rem 1.25rem 4rem}
header{display:flex;flex-wrap:wrap;gap:.5rem 1rem;align-items:baseline;justify-content:space-between}
h1{margin:0;font-size:1.9rem}header p{margin:0}nav{display:flex;gap:1.25rem}
.state{display:inline-flex;align-items:center;gap:.5rem}.dot{width:.6rem;height:.6rem;border-radius:50%;background:var(--soft)}
.dot.good{background:var(--good)}.dot.bad{background:var(--bad)}
dl{display:grid;grid-template-columns:repeat(auto-fill,minmax(12.5rem,1fr));gap:1px;margin:2rem 0;background:var(--line);
border:1px solid var(--line);border-radius:12px;overflow:hidden}
dl div{background:var(--card);padding:1rem 1.1rem}dt{color:var(--soft);font-size:.85rem}
dd{margin:.15rem 0 0;font-size:1.35rem;font-variant-numeric:tabular-nums;overflow-wrap:anywhere}
h2{font-size:1.1rem;margin:2.5rem 0 .5rem}td{font-variant-numeric:tabular-nums}td.num,th.num{text-align:right;padding-right:0}
td .mono{color:var(--soft)}
`;

const TILES = [
  ['order', 'Last order'],
  ['time', 'Consensus time'],
  ['agents', 'Agents'],
  ['staked', 'Staked'],
  ['circulating', 'Circulating'],
  ['treasury', 'Treasury'],
  ['fees', 'Fees collected'],
  ['pending', 'Waiting for a verdict'],
] as const;

// Runs in the browser. Rows are built from elements and textContent only.
const SCRIPT = `
const $ = (id) => document.getElementById(id);
const tokens = (micro) => (micro / 1e6).toLocaleString('en', { maximumFractionDigits: 2 });
const clock = (secs) => new Date(secs * 1000).toISOString().slice(0, 19).replace('T', ' ');
const brief = (id) => (id.length > 20 ? id.slice(0, 8) + '\\u2026' + id.slice(-4) : id);
const cell = (text, name) => {
  const td = document.createElement('td');
  const span = document.createElement('span');
  span.textContent = text;
  if (name === 'mono') span.className = name;
  else if (name) td.className = name;
  td.append(span);
  return td;
};
const get = async (path) => {
  const answer = await fetch(path);
  if (!answer.ok) throw new Error(path + ' answered ' + answer.status);
  return answer.json();
};
const show = (values) => {
  for (const [id, text] of Object.entries(values)) $(id).textContent = text;
};
const event = (e) => {
  const tr = document.createElement('tr');
  const amount = e.amount === undefined ? '' : tokens(e.amount);
  tr.append(cell(String(e.seq)), cell(e.event_type), cell(brief(e.agent_id), 'mono'),
    cell(e.settlement_state), cell(clock(e.timestamp)), cell(amount, 'num'));
  return tr;
};
const refresh = async () => {
  try {
    const [s, e, list] = await Promise.all([
      get('/v1/status'), get('/v1/economics'), get('/v1/events/recent?limit=15')]);
    show({
      order: s.order.toLocaleString('en'), time: clock(s.consensus_time).slice(11), agents: e.agents_registered.toLocaleString('en'),
      staked: tokens(e.total_staked), circulating: tokens(e.circulating_supply), treasury: tokens(e.treasury_balance),
      fees: tokens(e.total_fees_collected), pending: s.ocs_pending.toLocaleString('en'),
      chain: s.chain_id + ', version ' + s.version, state: 'live',
    });
    $('dot').className = 'dot good';
    $('events').replaceChildren(...list.map(event));
  } catch (error) {
    $('dot').className = 'dot bad';
    show({ state: 'no answer from the node' });
  }
};
const loop = async () => {
  if (!document.hidden) await refresh();
  setTimeout(loop, 3000);
};
loop();
`;

/** The page; the same for every visitor. */
export function renderHome(): string {
  const tiles = TILES.map(([id, label]) => `<div><dt>${label}</dt><dd id="${id}">–</dd></div>`);
  const body = `<main>
<header>
<h1>Verified Work Settlement</h1>
<nav><a href="/docs">API</a><a href="/openapi.json">openapi.json</a><a href="/metrics">Metrics</a></nav>
</header>
<p class="soft"><span class="state"><span id="dot" class="dot"></span><span id="state">this node</span></span>
<span id="chain"></span></p>
<p>Agents post work, do it, have it verified and are paid. This node answers from the executed prefix of the final order;
amounts below are in tokens.</p>
<noscript><p>Live numbers need JavaScript; the same data is at <a href="/v1/status">/v1/status</a>,
<a href="/v1/economics">/v1/economics</a> and <a href="/v1/events/recent">/v1/events/recent</a>.</p></noscript>
<dl>${tiles.join('')}</dl>
<h2>Recent events</h2>
<div class="scroll"><table>
<thead><tr><th>Seq</th><th>Type</th><th>Agent</th><th>State</th><th>Time, UTC</th><th class="num">Amount</th></tr></thead>
<tbody id="events"></tbody>
</table></div>
</main>
<script>${SCRIPT}</script>`;
  return htmlPage('Verified Work Settlement', CSS, body);
}
