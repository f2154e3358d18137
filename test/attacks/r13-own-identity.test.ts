// R13: what open mode answers to its own identity, and keys that were made for somebody else.

import { afterAll, describe, expect, it } from 'vitest';
import { authenticate } from '../../host/api/auth.ts';
import { OBSERVER } from '../../host/ordering/ordering.ts';
import { randomBytes } from '../../host/world/system/random.ts';
import { Agent, type Answer, call } from '../e2e/agent.ts';
import { Testbed } from '../e2e/testbed.ts';
import { openParts, SEAT_KEY, START_MS } from '../host/one-node/harness.ts';
import { report } from './figures.ts';

const KEYS = '/v1/platform/keys';
const bed = new Testbed();
afterAll(() => bed.close());

async function openMode() {
  const { port, agentId } = await bed.start({ dataDir: await bed.directory(), flags: ['--no-auth'] });
  const send = (method: string, path: string, body: object = {}): Promise<Answer> =>
    call(port, { method, path, body: JSON.stringify(body) });
  return { port, agentId, send };
}

describe('open mode', () => {
  it("registers the node's own identity: 409, since it is registered", async () => {
    const { agentId, send } = await openMode();
    const { status, body } = await send('POST', '/v1/agents');
    report({
      attack: 'R13',
      what: 'POST /v1/agents {} with --no-auth',
      before: '403',
      after: String(status),
    });
    expect([status, body.code]).toEqual([409, 'already_registered']);
    // The id of a key is still only for its holder.
    const named = await send('POST', '/v1/agents', { agent_id: agentId });
    expect([named.status, named.body.code]).toEqual([403, 'forbidden_actor']);
  });

  it('a key made for another agent is revoked by that agent, and by whoever issued it', async () => {
    const { port, send } = await openMode();
    const alice = await new Agent(port).register();
    const make = async (): Promise<string> =>
      (await send('POST', KEYS, { agent_id: alice.id, name: 'k' })).body.key_id;
    const [first, second] = [await make(), await make()];
    const mallory = await new Agent(port).register();
    expect((await mallory.send('DELETE', `${KEYS}/${first}`)).body.code).toBe('forbidden_actor');
    const byIssuer = await send('DELETE', `${KEYS}/${first}`);
    const byOwner = await alice.send('DELETE', `${KEYS}/${second}`);
    report({
      attack: 'R13',
      what: 'a key made for another, revoked by its issuer',
      before: '403',
      after: String(byIssuer.status),
    });
    expect([byIssuer.body.status, byOwner.body.status]).toEqual(['revoked', 'revoked']);
  });

  it('an observer, which has no identity to act as, answers that it takes no writes', async () => {
    const p = await openParts({ params: { allow_unsigned: 'true' } });
    const body = Buffer.from('{"amount":1}');
    const request = { method: 'POST', path: '/v1/stake', query: '', body, header: () => undefined };
    const context = {
      chainId: 'vws-testnet-1',
      testnet: true,
      noAuth: true,
      requestV1: true,
      openCoordination: false,
      ids: p.ids,
      node: SEAT_KEY,
      verify: async () => true,
      nowSecs: () => START_MS / 1000,
      isTimeTrusted: () => true,
      randomBytes,
    };
    const write = (seat: number) => async () =>
      authenticate(request as never, { ...context, seat }, () => {});
    await expect(write(0)()).resolves.toMatchObject({ credentials: { seat: 0 } });
    await expect(write(OBSERVER)()).rejects.toMatchObject({ code: 'not_ready', status: 503 });
  });
});
