// From application to active in the core and in the model side by side: drawn votes, objections, places of a day, new weight.
// The random worlds of the differential test are too short for 50 drawn votes of an applicant.

import { expect, test } from 'vitest';
import * as abi from '../../assembly/abi.ts';
import type { Command } from '../model/command.ts';
import { Model } from '../model/model.ts';
import { modelValidator, shownValidator } from './compare-validators.ts';
import { unhex } from './driver.ts';
import { config, hash, key, LAUNCH, Net, TOKEN, type Told } from './fixture.ts';

const DAY = 86_400;
const APPLICANTS = ['a0', 'a1', 'a2', 'a3', 'a4'];

/** Both, with the same commands in the same blocks; every validator is compared after each. */
class Both extends Net {
  readonly model = new Model(config());

  constructor(readonly seats: number) {
    super(Array.from({ length: seats }, () => ({})));
    for (let seat = 0; seat < seats; seat++) {
      this.model.seat({
        seat,
        status: abi.VALIDATOR_ACTIVE,
        operator: unhex(key(`op${seat}`)),
        stake: 25_000n * TOKEN,
        baselineBp: 5000,
        id: `v${seat}`,
        categories: [],
      });
    }
  }

  override run(commands: Command[], gapSecs = 1): Told {
    const told = super.run(commands, gapSecs);
    const { model } = this;
    const from = model.s.out.length;
    model.block(this.nowMs, this.blocks, unhex(hash(`block ${this.blocks}`)));
    model.vertex(this.order, 0, commands.length);
    for (const command of commands) model.command(command);
    model.blockEnd();
    const expected = model.s.out.slice(from).flatMap((o) => (o.kind === 'tx' ? [[o.code, ...o.words]] : []));
    expect(told.txs.map((tx) => [tx.code, ...tx.words])).toEqual(expected);
    for (const v of model.s.validators) {
      expect(shownValidator(this.core, v.index)).toEqual(modelValidator(model, v));
    }
    return told;
  }

  object(by: string, target: string): number {
    return this.codes([this.cmd(abi.OP_VALIDATOR_OBJECT, by, { target: key(target) })])[0]!;
  }
}

test('applicants pass, are objected to, wait for their places, and gain weight, as in the model', () => {
  const net = new Both(3);
  net.run(['from', 'to', ...APPLICANTS].map((name) => net.register(name, 40_000n * TOKEN)));
  net.run(APPLICANTS.map((name) => net.cmd(abi.OP_VALIDATOR_APPLY, name, { categories: [] })));
  for (let i = 0; i < 260; i++) {
    const transfer = net.transfer('from', 'to', TOKEN);
    net.run([transfer]);
    // The third applicant votes late or never, so that it misses draws.
    const voters = [...APPLICANTS.filter((_, n) => n !== 2), 'op0', 'op1', 'op2'];
    net.run(
      voters.map((name) => net.verify(name, transfer, true)),
      i % 2 === 0 ? 1 : 61,
    );
  }
  for (let day = 0; day < 31; day++) net.run([], DAY);
  const waiting = net.model.s.validators.filter((v) => v.passedAt !== 0);
  expect(waiting.length).toBe(4);
  expect(net.model.s.validators[5]!.missedDraws + net.model.s.validators[5]!.cycle).toBeGreaterThan(1);
  expect(net.object('op0', 'a0')).toBe(abi.OK);
  expect(net.object('op0', 'a0')).toBe(abi.ALREADY_VOTED);
  expect(net.object('a1', 'a0')).toBe(abi.NOT_A_VALIDATOR);
  expect(net.object('op1', 'a0')).toBe(abi.OK);
  expect(net.object('op2', 'a0')).toBe(abi.TASK_STATE);
  expect(net.object('op2', 'a1')).toBe(abi.OK);
  for (let day = 0; day < 40; day++) net.run([], DAY);
  const active = net.model.s.validators.filter((v) => v.status === abi.VALIDATOR_ACTIVE);
  expect(active.length).toBe(6);
  expect(net.nowMs / 1000).toBeGreaterThan(LAUNCH + 70 * DAY);
});
