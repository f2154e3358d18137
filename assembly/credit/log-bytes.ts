// What an agent writes into the log without a fee (protocol 6.18): so many KiB a day by what it holds, then a few once.
// Keeps: an identity costs nothing, so what it has free without holding anything is for life: all of them together have as
// much as the table of agents has rows. Money that passes through many identities on one day counts for each of them, but
// each time the fee of its transfer is more than that of the bytes.

import { PARAM_FIRST_KIB, PARAM_HOLDING_PER_KIB } from '../abi';
import { Agent, agentIndex } from '../ledger/agents';
import { kibPrice, payFee } from '../ledger/row-price';
import { daySecs, param } from '../state/header';
import { markWorker, Worker, workerOf } from './workers';

function dayOf(nowSecs: u64): u32 {
  return <u32>(nowSecs / daySecs());
}

function usedToday(worker: Worker, nowSecs: u64): u32 {
  return worker.kibDay == dayOf(nowSecs) ? worker.kibToday : 0;
}

// The part of a request that is free because of what the agent holds, whether free, staked or in escrow.
function heldPart(agent: Agent, kib: u32, nowSecs: u64): u32 {
  const most = (agent.balance + agent.staked + agent.reserved) / param(PARAM_HOLDING_PER_KIB);
  const used = <u64>usedToday(workerOf(agentIndex(agent)), nowSecs);
  return used < most ? <u32>min<u64>(kib, most - used) : 0;
}

// The part of a request that is free once.
function firstPart(worker: Worker, kib: u32): u32 {
  return min<u32>(kib, <u32>param(PARAM_FIRST_KIB) - worker.firstKib);
}

/** What a request of that many KiB costs its agent, micro-units. */
export function bytesFee(agent: Agent, kib: u32, nowSecs: u64): u64 {
  // As of nearly every verdict: its first KiB is free.
  if (kib == 0) return 0;
  const rest = kib - heldPart(agent, kib, nowSecs);
  return kibPrice(rest - firstPart(workerOf(agentIndex(agent)), rest));
}

/** Counts a request of that many KiB and takes its fee; the agent's balance was compared with it. */
export function noteBytes(agent: Agent, kib: u32, nowSecs: u64): void {
  if (kib == 0) return;
  const worker = workerOf(agentIndex(agent));
  const held = heldPart(agent, kib, nowSecs);
  const first = firstPart(worker, kib - held);
  const fee = kibPrice(kib - held - first);
  if (held > 0) {
    worker.kibToday = usedToday(worker, nowSecs) + held;
    worker.kibDay = dayOf(nowSecs);
  }
  worker.firstKib += <u16>first;
  if (held + first > 0) markWorker(worker);
  if (fee > 0) payFee(agent, fee);
}

/** What a registration of that many KiB would cost: nothing, as long as what its agent has free once is enough. */
export function registrationFee(kib: u32): u64 {
  const free = <u32>param(PARAM_FIRST_KIB);
  return kib <= free ? 0 : kibPrice(kib - free);
}
