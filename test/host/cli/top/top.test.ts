// vws top against nodes that answer over HTTP: what it prints once, and what it ends with.

import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { vws } from '../harness.ts';

/** A node that shows these figures; each scrape finds 50 more transactions. */
async function nodeWith(root: string, height = 7): Promise<string> {
  let transactions = 0;
  const server = createServer((request, response) => {
    if (request.url === '/health') response.end('{"status":"healthy"}');
    else if (request.url === '/metrics') {
      transactions += 50;
      response.end(
        `vws_last_order 900\nvws_epoch 3\nvws_peer_count 3\nvws_supply_check 1\nvws_transactions_total{type="transfer"} ${transactions}\nvws_resident_bytes 2e8\n`,
      );
    } else response.end(JSON.stringify({ height, order: 700, state_root: root, signatures: [1, 2, 3] }));
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

describe('vws top', () => {
  it('prints the table once, from two samples', async () => {
    const url = await nodeWith('ab');
    const { code, out } = await vws(['top', '--once', '--node', url]);
    const [heading, line] = out.split('\n');
    expect(heading).toMatch(/^node +health +order/);
    expect(line!.split(/ +/).slice(0, 5)).toEqual([url.slice(7), 'healthy', '900', '3', '7']);
    expect(code).toBe(0);
  });

  it('prints objects, with what two nodes agree on', async () => {
    const [a, b] = [await nodeWith('ab'), await nodeWith('ab')];
    const { code, out } = await vws(['top', '--once', '--json', '--node', a, '--and', b]);
    const shown = JSON.parse(out);
    expect(shown).toMatchObject([
      { url: a, health: 'healthy', order: 900, checkpoint: 7, state_root: 'ab', same_state: true },
      { url: b, same_state: true },
    ]);
    expect(shown[0].transactions_per_second).toBeGreaterThan(10);
    expect(code).toBe(0);
  });

  it('ends with 1 when states differ, with 5 when nobody answers', async () => {
    const [a, b] = [await nodeWith('ab'), await nodeWith('cd')];
    const differing = await vws(['top', '--once', '--node', a, '--and', b]);
    expect(differing.code).toBe(1);
    expect(differing.out).toMatch(/checkpoint 7: .* has cd, .* ab/);
    const gone = await vws(['top', '--once', '--json', '--node', 'http://127.0.0.1:9']);
    expect([gone.code, JSON.parse(gone.out)[0].health]).toEqual([5, 'down']);
  });

  it('refuses what it cannot do', async () => {
    expect((await vws(['top', '--json'])).code).toBe(2);
    expect((await vws(['top', '--every', '0'])).code).toBe(2);
    expect((await vws(['top', '--once', '--and', 'ftp://x'])).code).toBe(2);
  });
});
