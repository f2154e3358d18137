// The judge behind SERVICE_JUDGE: a command or a URL, and what happens when it fails.

import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { type JudgeWorld, outsideJudge } from '../../../../host/duties/judging/outside-judge.ts';
import type { Question } from '../../../../host/duties/judging/question.ts';
import type { PostRequest } from '../../../../host/world/post.ts';
import { systemWorld } from '../../../../host/world/system/world.ts';

const Q = 'c'.repeat(32);
const QUESTION = { question: Q, delivery: { content: 'work' } } as unknown as Question;
const ANSWER = { question: Q, verdict: 'worker', reason: 'done', confidence_bp: 8000 };
const never = new AbortController().signal;
const ask = (where: string, world: JudgeWorld = systemWorld, signal = never) =>
  outsideJudge(where, world)(QUESTION, signal);

const closing: (() => void)[] = [];
afterEach(() => {
  for (const close of closing.splice(0)) close();
});

async function service(status: number, body: string): Promise<{ url: string; got: string[] }> {
  const got: string[] = [];
  const server = createServer((req, res) => {
    let text = '';
    req.on('data', (chunk) => (text += chunk));
    req.on('end', () => {
      got.push(text);
      res.writeHead(status, { Location: 'http://127.0.0.1:1/' }).end(body);
    });
  });
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  closing.push(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/judge`, got };
}

describe('a command', () => {
  const echo = `echo '${JSON.stringify(ANSWER)}'`;
  it('is given the question and answers it', async () => {
    expect(await ask(`grep -q '"content":"work"' && ${echo}`)).toMatchObject({ verdict: 'worker' });
  });

  it('that fails gives no verdict', async () => {
    expect(await ask(`${echo}; echo broken >&2; exit 1`)).toEqual({
      abstains: 'failed',
      detail: 'exit 1: broken',
    });
    expect(await ask('echo worker')).toMatchObject({ abstains: 'malformed' });
    expect(await ask('yes')).toEqual({ abstains: 'too_long' });
    expect(await ask('sleep 600', systemWorld, AbortSignal.timeout(100))).toEqual({ abstains: 'late' });
  });
});

describe('a URL', () => {
  it('of this machine is posted the question', async () => {
    const { url, got } = await service(200, JSON.stringify(ANSWER));
    expect(await ask(url)).toMatchObject({ verdict: 'worker' });
    expect(got).toEqual([JSON.stringify(QUESTION)]);
  });

  it('that fails gives no verdict, and no redirect is followed', async () => {
    const right = JSON.stringify(ANSWER);
    expect(await ask((await service(500, right)).url)).toMatchObject({ abstains: 'failed' });
    expect(await ask((await service(302, right)).url)).toMatchObject({ abstains: 'failed' });
    expect(await ask((await service(200, 'no')).url)).toMatchObject({ abstains: 'malformed' });
    expect(await ask((await service(200, 'x'.repeat(70_000))).url)).toMatchObject({ abstains: 'too_long' });
    expect(await ask('http://127.0.0.1:1/')).toMatchObject({ abstains: 'unreachable' });
  });

  it('without TLS never leaves the private networks', async () => {
    const sent: PostRequest[] = [];
    const to = (address: string): JudgeWorld => ({
      ...systemWorld,
      names: { lookup: async () => [address], resolve: async () => [address] },
      post: async (request) => {
        sent.push(request);
        return { status: 200, body: Buffer.from(JSON.stringify(ANSWER)), end: 'whole' };
      },
    });
    expect(await ask('http://judge.example/', to('203.0.114.7'))).toMatchObject({ abstains: 'unreachable' });
    expect(sent).toEqual([]);
    expect(await ask('https://judge.example/', to('203.0.114.7'))).toMatchObject({ verdict: 'worker' });
    expect(await ask('http://judge.example/', to('10.1.2.3'))).toMatchObject({ verdict: 'worker' });
    expect(sent.map(({ isTls, address }) => [isTls, address])).toEqual([
      [true, '203.0.114.7'],
      [false, '10.1.2.3'],
    ]);
  });
});
