// Lets clients of the reference implementation work with a node of this one, unchanged: they talk to this program, which
// signs their writes with the agent's key and translates names. For one agent, on its own machine.
// Usage: node proxy.mjs <key file> [node URL] [port]; then give the client http://127.0.0.1:<port>.

import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { signerFromSeed, VwsClient, VwsError } from 'vws/client';

const [keyPath = 'agent.key', baseUrl = 'http://127.0.0.1:8338', port = '8339'] = process.argv.slice(2);
const { seed } = JSON.parse(readFileSync(keyPath, 'utf8'));
const client = new VwsClient({ baseUrl, key: signerFromSeed(Buffer.from(seed, 'hex')) });

/** Members of requests that have no meaning here; unknown ones would be refused. */
const DROPPED = ['capabilities', 'causal_refs', 'currency', 'stake_amount'];
const renamed = (name) =>
  name === 'beneficiary_agent' ? 'beneficiary' : name.replace(/^price_(?!per_task$)[a-z]+$/, 'price_tok');
const request = (body) =>
  Object.fromEntries(
    Object.entries(body).flatMap(([name, value]) => (DROPPED.includes(name) ? [] : [[renamed(name), value]])),
  );

/** Former names, given beside the ones of today. */
const FORMER = {
  capability_fingerprint: 'fingerprint_hash',
  event_id: 'id',
  event_type: 'type',
  total_fees_collected: 'total_collected',
  treasury_balance: 'treasury_accrued',
};
function answer(value) {
  if (Array.isArray(value)) return value.map(answer);
  if (typeof value !== 'object' || value === null) return value;
  const own = Object.entries(value).map(([name, member]) => [name, answer(member)]);
  const former = own.flatMap(([name, member]) => (FORMER[name] ? [[FORMER[name], member]] : []));
  return { ...Object.fromEntries(former), ...Object.fromEntries(own) };
}

async function forward({ method, url }, text) {
  const { pathname, searchParams } = new URL(url, baseUrl);
  if (method !== 'GET') return client.write(method, pathname, request(JSON.parse(text || '{}')));
  const { offset = 0, ...query } = Object.fromEntries([...searchParams].filter(([, value]) => value !== ''));
  const paged = offset > 0 ? { page: Math.floor(offset / (query.limit ?? 50)) + 1 } : {};
  // A ratio in former times, basis points now.
  const least =
    query.min_reputation > 0 && query.min_reputation <= 1
      ? Math.round(query.min_reputation * 1e4)
      : undefined;
  return client.get(pathname, { ...query, ...paged, ...(least ? { min_reputation: least } : {}) });
}

createServer(async (incoming, outgoing) => {
  const send = (status, body) =>
    outgoing.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  // Whoever can call this can spend: no web page may, whatever name it gives this machine.
  const { host = '', origin } = incoming.headers;
  if (origin || !/^(127\.0\.0\.1|localhost)(:\d+)?$/.test(host))
    return send(403, { error: 'not for web pages' });
  try {
    let text = '';
    for await (const part of incoming) text += part;
    send(200, answer(await forward(incoming, text)));
  } catch (error) {
    // Registering twice was not an error.
    if (error.code === 'already_registered') return send(200, answer(await client.agent(client.ownKey)));
    if (error instanceof VwsError)
      return send(error.status || 502, { error: error.message, code: error.code });
    send(400, { error: error.message });
  }
}).listen(Number(port), '127.0.0.1', function () {
  console.log(`http://127.0.0.1:${this.address().port} for ${client.ownKey}`);
});
