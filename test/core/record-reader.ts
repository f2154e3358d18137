// Reads records of the core's ABI back into commands of the model: the inverse of records.ts and case-records.ts.
// Keeps: a record that names categories or tags by their labels alone cannot be read back, and is refused.

import * as abi from '../../assembly/abi.ts';
import { type Command, command } from '../model/command.ts';
import { hex } from './outcomes.ts';
import type { SeatInit } from './records.ts';

const decoder = new TextDecoder();
const CATEGORY_BYTES = 56;

/** The model has no record of this kind. */
export class UnknownCommand extends Error {
  override name = 'UnknownCommand';
}

export class RecordReader {
  readonly #view: DataView;

  constructor(readonly bytes: Uint8Array) {
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  }

  get opcode(): number {
    return this.#view.getUint16(0, true);
  }
  u16(at: number): number {
    return this.#view.getUint16(at, true);
  }
  u32(at: number): number {
    return this.#view.getUint32(at, true);
  }
  u64(at: number): bigint {
    return this.#view.getBigUint64(at, true);
  }
  hex(at: number, bytes = 32): string {
    return hex(this.bytes.subarray(at, at + bytes));
  }
  text(at: number, bytes: number): string {
    return decoder.decode(this.bytes.subarray(at, at + bytes));
  }
  /** Length, zero, text. */
  form(at: number): string {
    return this.text(at + 8, this.u32(at));
  }
  /** Count, zero, and somewhere each: length, text. */
  names(at: number, listAt = at + 8): string[] {
    return Array.from({ length: this.u32(at) }, (_, i) => {
      const name = listAt + CATEGORY_BYTES * i;
      return this.text(name + 4, this.u32(name));
    });
  }
}

export function seatOf(r: RecordReader): SeatInit {
  const idBytes = r.u32(60);
  return {
    seat: r.u32(8),
    status: r.u32(12),
    operator: r.bytes.slice(16, 48),
    stake: r.u64(48),
    baselineBp: r.u32(56),
    id: r.text(104, idBytes),
    categories: r.names(104 + ((idBytes + 7) & ~7)),
    consensusKey: r.bytes.slice(64, 96),
    keyEpoch: r.u32(96),
  };
}

/** Errors: UnknownCommand. */
export function commandOf(r: RecordReader): Command {
  const { opcode } = r;
  if (opcode === abi.OP_INVALID) return command(opcode, { txid: r.hex(8) });
  const fields = (FIELDS[opcode] ?? unknown)(r);
  return command(opcode, {
    auth: r.u16(2) & abi.AUTH_MASK,
    kib: r.u16(2) >> abi.KIB_SHIFT,
    txid: r.hex(8),
    actor: r.hex(40),
    lastSecond: Number(r.u64(72)),
    windowSecs: r.u32(abi.IN_WINDOW),
    keyId: r.u64(80),
    seat: r.u32(88),
    ...fields,
  });
}

const unknown = ({ opcode }: RecordReader): never => {
  throw new UnknownCommand(`opcode ${opcode}`);
};

type Fields = (r: RecordReader) => Partial<Command>;

const amount: Fields = (r) => ({ amount: r.u64(96) });
const toOther: Fields = (r) => ({ other: r.hex(96), amount: r.u64(128) });
const onTask: Fields = (r) => ({ taskId: r.hex(96, 16) });
const withFlags: Fields = (r) => ({ ...onTask(r), flags: r.u32(112), overallBp: r.u32(116) });
const withKey: Fields = (r) => ({ target: r.form(96), other: r.hex(168) });
const nothing: Fields = () => ({});

const terms = (r: RecordReader, at: number): Partial<Command> => {
  if (r.u32(at + 24) > 0) throw new UnknownCommand('a task with tags');
  return {
    amount: r.u64(at),
    flags: r.u32(at + 8),
    lane: r.u32(at + 12),
    reviewSecs: r.u32(at + 16),
    deliverySecs: r.u32(at + 20),
    fuel: r.u32(at + abi.TERMS_FUEL),
    noQuorum: r.u32(at + abi.TERMS_NO_QUORUM),
    workerBond: r.u64(at + abi.TERMS_WORKER_BOND),
    reservedFor: r.hex(at + abi.TERMS_RESERVED_KEY),
    reservedSecs: r.u32(at + abi.TERMS_RESERVED_SECS),
    category: r.text(at + 36, r.u32(at + 32)),
  };
};

const FIELDS: Readonly<Record<number, Fields>> = {
  [abi.OP_REGISTER]: (r) => ({
    publicKey: r.hex(96),
    amount: r.u64(128),
    id: r.text(140, r.u32(136)),
  }),
  [abi.OP_FAUCET]: nothing,
  [abi.OP_TRANSFER]: toOther,
  [abi.OP_GENERATION]: toOther,
  [abi.OP_STAKE]: amount,
  [abi.OP_UNSTAKE]: amount,
  [abi.OP_VERIFY]: (r) => ({
    other: r.hex(96),
    verdict: (r.u32(128) & 0xffff) === 1,
    ground: r.u32(128) >>> 16,
    value: (r.u32(132) & 0xffff) === 1 ? r.u64(136) : undefined,
    share: r.u32(132) >>> 16,
    salt: r.hex(144),
  }),
  [abi.OP_VOTE_COMMIT]: (r) => ({ other: r.hex(96), commitment: r.hex(128) }),
  [abi.OP_KEY_CREATE]: (r) => ({
    newKey: {
      id: r.u64(96),
      hash: r.bytes.slice(104, 136),
      scopes: r.u32(136),
      hourlyLimit: r.u32(140),
      expires: Number(r.u64(144)),
      seat: r.u32(152),
    },
  }),
  [abi.OP_KEY_REVOKE]: (r) => ({ newKey: { ...command(0, {}).newKey, id: r.u64(96) } }),
  [abi.OP_TASK_CREATE]: (r) => terms(r, 96),
  [abi.OP_SUBTASK_CREATE]: (r) => ({ ...onTask(r), ...terms(r, 112) }),
  [abi.OP_TASK_SUBMIT]: withFlags,
  [abi.OP_TRAJECTORY_COMMIT]: withFlags,
  [abi.OP_TASK_CLAIM]: onTask,
  [abi.OP_TASK_APPROVE]: onTask,
  [abi.OP_TASK_DISPUTE]: withFlags,
  [abi.OP_TASK_CANCEL]: onTask,
  [abi.OP_TASK_RELEASE]: onTask,
  [abi.OP_PROGRAM_PUBLISH]: nothing,
  [abi.OP_TASK_CONTEST]: withFlags,
  [abi.OP_TASK_OPEN]: withFlags,
  [abi.OP_TASK_CONCEDE]: onTask,
  [abi.OP_TASK_DECLINE]: onTask,
  [abi.OP_ROUTER_AVAILABLE]: (r) => ({ verdict: r.u32(96) === 1 }),
  [abi.OP_ROUTER_REMOVE]: nothing,
  [abi.OP_SERVICE_LIST]: nothing,
  [abi.OP_SERVICE_UNLIST]: nothing,
  [abi.OP_VALIDATOR_APPLY]: (r) => ({ categories: r.names(96, 112), maxFee: r.u64(104) }),
  [abi.OP_VALIDATOR_RESUME]: (r) => ({ target: r.form(96) }),
  [abi.OP_VALIDATOR_JUDGE]: (r) => ({ target: r.form(96), verdict: r.u32(168) === 1 }),
  [abi.OP_RECOVERY_SET]: withKey,
  [abi.OP_KEY_ROTATE]: withKey,
  [abi.OP_CHALLENGE_OPEN]: (r) => ({
    ...onTask(r),
    target: r.form(112),
    offense: r.u32(184),
    value: r.u32(188) === 1 ? r.u64(192) : undefined,
  }),
  [abi.OP_CHALLENGE_VOTE]: (r) => ({ challenge: r.hex(96, 12), outcome: r.u32(112) }),
  [abi.OP_REPLAY_SUBMIT]: (r) => ({
    other: r.hex(96),
    taskId: r.hex(128, 16),
    checks: [...r.bytes.subarray(152, 152 + r.u32(144))],
  }),
  [abi.OP_REPLAY_OUTCOME]: (r) => ({ other: r.hex(96), outcome: r.u32(128), verdict: r.u32(132) === 1 }),
  [abi.OP_CANARY_COMMIT]: (r) => ({ other: r.hex(96) }),
  [abi.OP_CANARY_RETURN]: nothing,
  [abi.OP_CANARY_REVEAL]: (r) => ({
    ...onTask(r),
    salt: r.hex(112),
    canaryType: r.u32(144),
    verdict: r.u32(148) === 1,
  }),
};
