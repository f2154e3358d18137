import { expect, it } from 'vitest';
import * as abi from '../../assembly/abi.ts';
import { toRecord } from '../model/command.ts';
import { Model } from '../model/model.ts';
import { hex } from './outcomes.ts';
import { commandOf, RecordReader, seatOf, UnknownCommand } from './record-reader.ts';
import * as records from './records.ts';
import { makeWorld, nextCommand } from './world.ts';

it('reads commands back as they were written', () => {
  const read = new Set<number>();
  for (let seed = 1; seed <= 3; seed++) {
    const world = makeWorld(seed);
    const model = new Model(world.config);
    for (const seat of world.seats) {
      model.seat(seat);
      const record = records.genesisSeat(seat);
      expect(records.genesisSeat(seatOf(new RecordReader(record)))).toEqual(record);
    }
    model.block(1_800_000_000_000, 1, new Uint8Array(32));
    for (let i = 0; i < 250; i++) {
      const command = nextCommand(world, model);
      const record = toRecord(command);
      try {
        expect(hex(toRecord(commandOf(new RecordReader(record))))).toBe(hex(record));
        read.add(command.opcode);
      } catch (error) {
        if (!(error instanceof UnknownCommand)) throw error;
      }
    }
  }
  for (const opcode of [abi.OP_REGISTER, abi.OP_TRANSFER, abi.OP_STAKE, abi.OP_VERIFY, abi.OP_TASK_CREATE])
    expect(read).toContain(opcode);
  expect(read.size).toBeGreaterThan(15);
});

it('refuses what names labels alone', () => {
  const record = toRecord({
    ...commandOf(new RecordReader(records.invalidEntry(new Uint8Array(32)))),
    opcode: abi.OP_ROUTER_REGISTER,
  });
  expect(() => commandOf(new RecordReader(record))).toThrow(UnknownCommand);
});
