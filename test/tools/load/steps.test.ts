import { expect, it } from 'vitest';
import { SeededRandom } from '../../../tools/load/seeded-random.ts';
import { newSigner } from '../../../tools/load/signed-writes.ts';
import { Steps } from '../../../tools/load/steps.ts';

const pair = [newSigner(), newSigner()] as const;
const payees = [...pair.map((signer) => signer.publicKeyHex), newSigner().publicKeyHex];
const posted = Buffer.from('{"id":"t-1"}');
const steps = (tasksPercent: number) => new Steps({ pair, payees }, tasksPercent, new SeededRandom(3));

it('a task goes from post to approval, and then the two swap roles', () => {
  const all = steps(100);
  const seen: string[] = [];
  for (let i = 0; i < 8; i++) {
    const step = all.next();
    seen.push(`${pair.indexOf(step.signer as (typeof pair)[0])} ${step.kind} ${step.path}`);
    all.done(step, posted);
  }
  const round = (poster: number, worker: number) => [
    `${poster} post /v1/tasks`,
    `${worker} claim /v1/tasks/t-1/claim`,
    `${worker} submit /v1/tasks/t-1/submit`,
    `${poster} approve /v1/tasks/t-1/approve`,
  ];
  expect(seen).toEqual([...round(0, 1), ...round(1, 0)]);
});

it('a task that is refused at any step is abandoned, and the next one begins', () => {
  const all = steps(100);
  for (const refused of ['post', 'claim', 'submit', 'approve']) {
    let step = all.next();
    while (step.kind !== refused) {
      all.done(step, posted);
      step = all.next();
    }
    all.done(step, undefined);
    expect(all.next().kind).toBe('post');
  }
});

it('nobody pays itself, and without tasks there are payments only', () => {
  const all = steps(0);
  for (let i = 0; i < 200; i++) {
    const step = all.next();
    expect(step.kind).toBe('transfer');
    expect(step.body.to_agent).not.toBe(step.signer.publicKeyHex);
    expect(payees).toContain(step.body.to_agent);
    all.done(step, undefined);
  }
});
