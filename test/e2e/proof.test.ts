// `vws proof` over HTTP, as a process of its own: a real node's documents are proven in the members that its API shows; what
// was altered on the way is named, with exit code 1.

import { spawn } from 'node:child_process';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { builtPath } from '../../tools/load/built.ts';
import { get, type Json } from './agent.ts';
import { LyingProxy } from './lying-proxy.ts';
import { type Story, tell } from './story.ts';
import { Testbed } from './testbed.ts';

const bed = new Testbed();
let s: Story;
let proxy: LyingProxy;

beforeAll(async () => {
  s = await tell(bed, {});
  proxy = await LyingProxy.before(s.port);
});
afterAll(async () => {
  await proxy.close();
  await bed.close();
});

async function proof(...words: string[]): Promise<{ code: number | null; out: string }> {
  const node = words.includes('--node') ? [] : ['--node', proxy.url];
  const args = [builtPath('host/cli/main.js'), 'proof', ...words, ...node];
  const child = spawn(process.execPath, args, { env: { PATH: process.env.PATH } });
  let out = '';
  child.stdout.on('data', (part) => {
    out += part;
  });
  child.stderr.on('data', (part) => {
    out += part;
  });
  const code = await new Promise<number | null>((done) => child.on('close', done));
  return { code, out };
}
const proven = async (...words: string[]): Promise<Json> => {
  const { code, out } = await proof(...words, '--json');
  expect([code, out.slice(0, 200)]).toEqual([0, expect.stringMatching(/^\{/)]);
  return JSON.parse(out);
};

describe('an honest node', () => {
  it('proves every task as its API shows it, and all agents', async () => {
    const checkpoint = (await get(s.port, '/v1/checkpoints/latest')).body;
    const tasks: Json[] = (await get(s.port, '/v1/tasks?limit=100')).body;
    let compared = 0;
    for (const { id } of tasks) {
      const { parts, order, height } = await proven('task', '--id', id);
      expect(height).toBeGreaterThanOrEqual(checkpoint.height);
      const shown: Json = (await get(s.port, `/v1/tasks/${id}`)).body;
      // A task that was posted after the checkpoint is not under its root.
      if (!parts) continue;
      compared += 1;
      expect(shown).toMatchObject({ title: parts.text.title, description: parts.text.description });
      expect(parts.state.core.budget).toBe(shown.budget);
      expect(order).toBeGreaterThan(0);
    }
    expect(compared).toBeGreaterThan(3);
    const { documents } = await proven('agents');
    const names = documents.map(({ text }: Json) => JSON.parse(text).id);
    expect(names).toContain(s.alice.id);
    expect((await proven('agent', '--id', 'nobody')).documents).toEqual([]);
  });

  it('shows of an event that is over that it is not open, never that there is none', async () => {
    const first: Json = (await get(s.port, `/v1/events/${s.stakeEvent}`)).body;
    for (const id of [`${first.seq}`, first.event_id]) {
      const { code, out } = await proof('event', '--id', id);
      const isOpen = new RegExp(
        `proven +event number ${first.seq} is not open: it is over, or there is none`,
      );
      const isByNumber = id !== first.event_id;
      expect([code, out]).toEqual([isByNumber ? 0 : 7, expect.stringMatching(isOpen)]);
      expect(out).not.toMatch(/proven +there is none/);
      expect(out.includes('not proven')).toBe(!isByNumber);
    }
  });

  it('is asked for what there is', async () => {
    for (const words of [['task'], ['harbour'], ['agents', '--id', 'x'], ['task', '--id', 'x']]) {
      const { code, out } = await proof(...words);
      expect([code, out]).toEqual([2, expect.stringMatching(/See: vws proof --help/)]);
    }
  });
});

it('a node that alters a document, or leaves one out, is named', async () => {
  const lies: ((body: Json) => void)[] = [
    (body) => body.documents.pop(),
    (body) => {
      body.documents[0].text = body.documents[0].text.replace('"id":"', '"id":"x');
    },
  ];
  for (const lie of lies) {
    proxy.lie = (path, bytes) => {
      if (!path.startsWith('/v1/proof/')) return undefined;
      const body: Json = JSON.parse(bytes.toString());
      lie(body);
      return JSON.stringify(body);
    };
    const { code, out } = await proof('agents');
    expect([code, out]).toEqual([1, expect.stringMatching(/LIE +proof/)]);
  }
  proxy.lie = () => undefined;
});

it('a node that leaves out what the core has of an agent proves its document alone, and the exit code says so', async () => {
  expect((await proof('agent', '--id', s.alice.id)).code).toBe(0);
  proxy.lie = (path, bytes) => {
    if (!path.startsWith('/v1/proof/')) return undefined;
    const { agent_row: _, state: __, ...body }: Json = JSON.parse(bytes.toString());
    return JSON.stringify(body);
  };
  const { code, out } = await proof('agent', '--id', s.alice.id);
  expect([code, out]).toEqual([8, expect.stringMatching(/not proven +rows of the core/)]);
  proxy.lie = () => undefined;
});

it('a node that answers a byte now and then is not waited for', async () => {
  const dripping = createServer((_, res) => {
    res.writeHead(200, { 'content-type': 'application/json', 'content-length': '1000' });
    const drip = setInterval(() => res.write(' '), 100);
    res.on('close', () => clearInterval(drip));
  });
  await new Promise<void>((done) => dripping.listen(0, '127.0.0.1', done));
  const { port } = dripping.address() as AddressInfo;
  const { code } = await proof('agents', '--max-seconds', '1', '--node', `http://127.0.0.1:${port}`);
  expect(code).toBe(5);
  dripping.closeAllConnections();
  dripping.close();
});

it('a node of another network is named', async () => {
  const { code, out } = await proof('agents', '--genesis', 'ab'.repeat(32));
  expect([code, out]).toEqual([1, expect.stringMatching(/LIE +genesis/)]);
});
