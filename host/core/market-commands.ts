// Encodes the commands about capabilities and listings, as laid out in assembly/abi.ts.

import * as abi from '../../assembly/abi.ts';
import { type CommandHead, command } from './commands.ts';

interface CapabilityTerms {
  /** Micro-units. */
  pricePerTask: number;
  /** 1 to 100. */
  maxConcurrent: number;
  categoryLabels: readonly Uint8Array[];
  tagLabels: readonly Uint8Array[];
}

const LABELS = 120;

export function routerRegister(head: CommandHead, t: CapabilityTerms): Uint8Array {
  const labels = [...t.categoryLabels, ...t.tagLabels];
  const size = LABELS - abi.COMMAND_FIELDS + 8 * labels.length;
  const { bytes, view } = command(abi.OP_ROUTER_REGISTER, head, size);
  view.setBigUint64(96, BigInt(t.pricePerTask), true);
  view.setUint32(104, t.maxConcurrent, true);
  view.setUint32(108, t.categoryLabels.length, true);
  view.setUint32(112, t.tagLabels.length, true);
  for (const [i, label] of labels.entries()) bytes.set(label, LABELS + 8 * i);
  return bytes;
}

export function routerAvailable(head: CommandHead, available: boolean): Uint8Array {
  const { bytes, view } = command(abi.OP_ROUTER_AVAILABLE, head, 8);
  view.setUint32(96, available ? 1 : 0, true);
  return bytes;
}

const plain =
  (opcode: number) =>
  (head: CommandHead): Uint8Array =>
    command(opcode, head, 0).bytes;

export const routerRemove = plain(abi.OP_ROUTER_REMOVE);
export const serviceList = plain(abi.OP_SERVICE_LIST);
export const serviceUnlist = plain(abi.OP_SERVICE_UNLIST);
