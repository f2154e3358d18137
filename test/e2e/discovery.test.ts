// Files by which programs find a node and its agents, from a real node.

import { createPublicKey, verify } from 'node:crypto';
import { request } from 'node:http';
import canonicalize from 'canonicalize';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { signAgentCard } from '../../host/client/index.ts';
import { newSigner } from '../../tools/load/signed-writes.ts';
import { Agent, type Answer, get, type Json } from './agent.ts';
import { Testbed } from './testbed.ts';

const bed = new Testbed();
let port: number;
let bob: Agent;
beforeAll(async () => {
  ({ port } = await bed.start({ dataDir: await bed.directory() }));
  bob = new Agent(port);
  await bob.do('/v1/agents', { agent_id: 'org/bob' });
});
afterAll(() => bed.close());

/** With a Host header of its own, which fetch does not send. */
const getAs = (at: number, path: string, host: string): Promise<Pick<Answer, 'status' | 'body'>> =>
  new Promise((resolve, reject) => {
    request({ port: at, host: '127.0.0.1', path, headers: { host } }, (reply) => {
      let text = '';
      reply.on('data', (part) => {
        text += part;
      });
      reply.on('end', () => resolve({ status: reply.statusCode ?? 0, body: JSON.parse(text) }));
    })
      .on('error', reject)
      .end();
  });

const OFFER = {
  name: 'Counts',
  category: 'data',
  description: 'Counts vessels.',
  price_tok: 3,
  tags: ['ships', 'data'],
};
const own = (path: string) => get(port, `/v1/agents/${encodeURIComponent('org/bob')}/${path}`);
const REQUIRED = [
  ...['name', 'description', 'version', 'supportedInterfaces', 'capabilities', 'defaultInputModes'],
  ...['defaultOutputModes', 'skills'],
];

/** What A2A 1.0 requires of every card. */
function expectCard(card: Json): void {
  for (const member of REQUIRED) expect(card).toHaveProperty(member);
  expect(card.supportedInterfaces.length).toBeGreaterThan(0);
  for (const { url, protocolBinding, protocolVersion } of card.supportedInterfaces) {
    expect(url).toBe(`http://127.0.0.1:${port}`);
    // Not one of the transports of A2A, which this node does not speak.
    expect(['JSONRPC', 'GRPC', 'HTTP+JSON']).not.toContain(protocolBinding);
    expect(protocolVersion).toBe('1.0');
  }
  for (const skill of card.skills) {
    expect(skill).toMatchObject({
      id: expect.any(String),
      name: expect.any(String),
      description: expect.any(String),
    });
    expect(skill.tags.length).toBeGreaterThan(0);
  }
}

it('the card of the node has a skill for each group of endpoints', async () => {
  const { status, body } = await get(port, '/.well-known/agent-card.json');
  expect(status).toBe(200);
  expectCard(body);
  expect(body.skills.map((skill: { id: string }) => skill.id)).toContain('tasks');
  expect(body.capabilities.extensions[0].params.url).toBe(`http://127.0.0.1:${port}/mcp`);
});

describe('an agent', () => {
  it('has no card before it offers something, but a registration', async () => {
    expect((await own('agent-card.json')).body.code).toBe('listing_not_found');
    expect((await get(port, '/v1/agents/nobody/registration.json')).body.code).toBe('agent_not_found');
    const { body } = await own('registration.json');
    expect(body).toMatchObject({ active: false, name: 'org/bob', registrations: [] });
    expect(body.services).toEqual([
      { name: 'vws', endpoint: `http://127.0.0.1:${port}/v1/agents/org%2Fbob`, version: expect.any(String) },
    ]);
  });

  it('has a card with its offer', async () => {
    await bob.post('/v1/registry', { ...OFFER, endpoint: 'https://bob.example/api' });
    const { body } = await own('agent-card.json');
    expectCard(body);
    expect(body).toMatchObject({
      name: 'org/bob',
      description: 'Counts vessels.',
      supportedInterfaces: [{ tenant: 'org/bob' }],
      skills: [{ id: 'data', name: 'Counts', tags: ['data', 'ships'] }],
    });
    const public_key = Buffer.from(bob.signer.publicKey).toString('base64');
    const [{ params }] = body.capabilities.extensions;
    expect(params).toMatchObject({ agent_id: 'org/bob', public_key, price_tok: 3 });
    const { body: file } = await own('registration.json');
    expect(file.type).toBe('https://eips.ethereum.org/EIPS/eip-8004#registration-v1');
    expect(file.active).toBe(true);
    const [, card, web] = file.services;
    expect((await get(port, new URL(card.endpoint).pathname)).body).toEqual(body);
    expect(web).toEqual({ name: 'web', endpoint: 'https://bob.example/api' });
  });

  it('has the card that it signed itself, and not one that another key signed or that was altered', async () => {
    const card = {
      name: 'Bob of the harbour',
      description: 'Counts vessels, in four languages: größer, 更大.',
      version: '2',
      supportedInterfaces: [
        { url: 'https://bob.example/a2a', protocolBinding: 'JSONRPC', protocolVersion: '1.0' },
      ],
      capabilities: { streaming: true },
      defaultInputModes: ['text/plain'],
      defaultOutputModes: ['application/json'],
      skills: [{ id: 'count', name: 'Counts', description: 'Counts.', tags: ['ships'] }],
    };
    const signed = await signAgentCard(card, bob.signer, 'org/bob');
    await bob.do('/v1/registry', { ...OFFER, agent_card: signed });
    const { body } = await own('agent-card.json');
    expect(body).toEqual(signed);
    // Checked as RFC 7515 and A2A say it, without a line of ours.
    const { signatures, ...rest } = body;
    const [{ protected: head, signature }] = signatures;
    expect(JSON.parse(Buffer.from(head, 'base64url').toString())).toEqual({
      alg: 'EdDSA',
      kid: 'org/bob',
      typ: 'JOSE',
    });
    const input = `${head}.${Buffer.from(canonicalize(rest)!).toString('base64url')}`;
    const key = createPublicKey({
      key: { kty: 'OKP', crv: 'Ed25519', x: Buffer.from(bob.signer.publicKey).toString('base64url') },
      format: 'jwk',
    });
    expect(verify(null, Buffer.from(input), key, Buffer.from(signature, 'base64url'))).toBe(true);

    const theirs = await signAgentCard(card, newSigner(), 'org/bob');
    for (const agent_card of [theirs, { ...signed, version: '3' }]) {
      await bob.do('/v1/registry', { ...OFFER, agent_card });
      expect((await own('agent-card.json')).body.name).toBe('org/bob');
    }
    const two = { ...signed, signatures: [signed.signatures, signed.signatures].flat() };
    for (const agent_card of [card, two, { ...signed, signatures: [{ protected: 'e30', signature }] }]) {
      const { status, body } = await bob.post('/v1/registry', { ...OFFER, agent_card });
      expect([status, body.error]).toEqual([
        400,
        expect.stringMatching(/^agent_card must have one signature/),
      ]);
    }
    await expect(signAgentCard({ ...card, description: 'x'.repeat(4000) }, bob.signer)).rejects.toThrow(
      /of at most 4096/,
    );
  });

  it('is not found by its card once the offer is withdrawn', async () => {
    await bob.send('DELETE', `/v1/registry/${encodeURIComponent('org/bob')}`);
    expect((await own('agent-card.json')).body.code).toBe('listing_not_found');
    expect((await own('registration.json')).body.active).toBe(false);
  });
});

it('llms.txt leads to tools and API, and has no text of agents', async () => {
  const { body } = await get(port, '/llms.txt');
  expect(body).toMatch(/^# Verified Work Settlement node \(vws-testnet-1\)\n\n> /);
  for (const [, url] of (body as string).matchAll(/\]\(([^)]+)\)/g)) {
    const { pathname } = new URL(url!);
    if (pathname !== '/mcp') expect((await get(port, pathname)).status, url).toBe(200);
  }
  expect(body).not.toContain('bob');
});

it('a name that is not the node’s own gets no address made of it', async () => {
  for (const path of [
    '/llms.txt',
    '/.well-known/agent-card.json',
    '/v1/agents/org%2Fbob/agent-card.json',
    '/v1/agents/org%2Fbob/registration.json',
  ]) {
    const answer = await getAs(port, path, 'rebound.example');
    expect([answer.status, answer.body.code]).toEqual([403, 'origin_not_allowed']);
  }
});

it('SERVICE_PUBLIC_URL is what the files say, whoever asks', async () => {
  const env = { SERVICE_PUBLIC_URL: 'https://node.example.org/vws/' };
  const other = await bed.start({ dataDir: await bed.directory(), env });
  const { body } = await getAs(other.port, '/.well-known/agent-card.json', 'anything');
  expect(body.supportedInterfaces[0].url).toBe('https://node.example.org/vws');
});
