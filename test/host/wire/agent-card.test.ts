// Agent cards against what the official SDKs of A2A make of the same card: @a2a-js/sdk 1.3.0 and a2a-sdk 1.3.0 (Python) give
// these bytes and this signature alike.

import { describe, expect, it } from 'vitest';
import { signAgentCard, signerFromSeed } from '../../../host/client/index.ts';
import { claimOf } from '../../../host/wire/agent-card.ts';

const key = signerFromSeed(new Uint8Array(32).fill(7));

/** With defaults of every kind, which are not signed (A2A 1.0, 8.4.1). */
const CARD = {
  name: 'Bob',
  description: 'Zählt Schiffe.',
  version: '1',
  documentationUrl: '',
  iconUrl: '',
  supportedInterfaces: [
    { url: 'https://bob.example/a2a', protocolBinding: 'JSONRPC', protocolVersion: '1.0', tenant: '' },
  ],
  capabilities: {
    streaming: false,
    extensions: [
      {
        uri: 'urn:bob:x',
        description: '',
        required: false,
        params: { none: '', list: ['', []], zero: 0, no: false },
      },
    ],
  },
  securitySchemes: {},
  securityRequirements: [],
  defaultInputModes: ['text/plain'],
  defaultOutputModes: [],
  skills: [{ id: 'a', name: 'Counts', description: 'Counts.', tags: [], examples: [''] }],
};
const SIGNED =
  '{"capabilities":{"extensions":[{"params":{"no":false,"zero":0},"uri":"urn:bob:x"}],"streaming":false},' +
  '"defaultInputModes":["text/plain"],"description":"Zählt Schiffe.","name":"Bob",' +
  '"skills":[{"description":"Counts.","id":"a","name":"Counts"}],"supportedInterfaces":[{"protocolBinding":"JSONRPC",' +
  '"protocolVersion":"1.0","url":"https://bob.example/a2a"}],"version":"1"}';
const SIGNATURES = [
  {
    protected:
      'eyJhbGciOiJFZERTQSIsImtpZCI6ImVhNGE2YzYzZTI5YzUyMGFiZWY1NTA3YjEzMmVjNWY5OTU0Nzc2YWViZWJlN2I5MjQyMWVlYTY5MTQ0NmQyMmMiLCJ0eXAiOiJKT1NFIn0',
    signature: 'xD87BFX7aSWlMmBQyhYgizmqM8_1L3a8oRFyIbIAT2Jx3g4iPdRxqXBhaSlCbL43YtCql0pZ3zTlwgwrr5FkCA',
  },
];

describe('a card with members at their defaults', () => {
  it('is signed as clients of A2A check it', async () => {
    const signed = await signAgentCard(CARD, key);
    expect(signed).toEqual({ ...CARD, signatures: SIGNATURES });
  });

  it('is checked as clients of A2A sign it, whether its defaults were left out on the way or not', () => {
    const head = SIGNATURES[0]!.protected;
    for (const card of [CARD, JSON.parse(SIGNED)]) {
      const { message } = claimOf({ ...card, signatures: SIGNATURES })!;
      const [, payload = ''] = Buffer.from(message).toString().split('.');
      expect(Buffer.from(payload, 'base64url').toString()).toBe(SIGNED);
      expect(Buffer.from(message).toString().startsWith(`${head}.`)).toBe(true);
    }
  });

  it('keeps what is not a default', () => {
    const extension = { uri: 'urn:bob:x', required: true, params: { required: false, pkceRequired: false } };
    const { message } = claimOf({ capabilities: { extensions: [extension] }, signatures: SIGNATURES })!;
    const [, payload = ''] = Buffer.from(message).toString().split('.');
    expect(JSON.parse(Buffer.from(payload, 'base64url').toString())).toEqual({
      capabilities: { extensions: [extension] },
    });
  });
});

it('a card of A2A 0.3 is not signed: clients of 1.0 leave out members that they do not know, so nobody could check it', async () => {
  for (const member of ['url', 'preferredTransport', 'security']) {
    await expect(signAgentCard({ ...CARD, [member]: 'x' }, key)).rejects.toThrow(
      `agent card: "${member}" is of A2A 0.3`,
    );
  }
});
