// Drawing validators for an event: weighted, without replacement, from a hash nobody can choose.
// Keeps: the same draw on every node (DECISIONS 6.9, panel draw); writes only the caller's list.

import { VALIDATOR_ACTIVE } from '../abi';
import { TESTNET_ASSIGNMENT_STAKE } from '../ledger/rates';
import { copy32 } from '../lib/bytes';
import { begin, compress } from '../lib/sha256';
import { writeDecimal, writeHex, writeLiteral } from '../lib/text';
import { blockHash, header, isTestnet } from '../state/header';
import { root } from '../state/root';
import { assignmentWeight } from './calibration';
import { countStatus, mayVote, operatorOf, validatorAt, validatorInOrder } from './validators';
import { requiredStake } from './weight';

// "panel:" + 64 hex + ":" + 64 hex + ":" + k: 137 bytes, so three blocks, of which only the last
// holds k. The first two are hashed once for all draws of an event.
const MESSAGE: usize = memory.data(192, 16);
const PREFIX_STATE: usize = memory.data(32, 16);
const DRAW_STATE: usize = memory.data(32, 16);

function assignmentStake(): u64 {
  const required = requiredStake(countStatus(VALIDATOR_ACTIVE));
  return isTestnet() ? max<u64>(required, TESTNET_ASSIGNMENT_STAKE) : required;
}

// Fills the weights of all validators in order of id, 0 for those who are no candidates; returns the sum.
function weighCandidates(category: u32, partyA: u32, partyB: u32): u64 {
  const leastStake = assignmentStake();
  const weights = root().drawWeights;
  let sum: u64 = 0;
  for (let place: u32 = 0; place < header().validatorCount; place++) {
    const validator = validatorAt(validatorInOrder(place));
    const isParty = validator.agent == partyA || validator.agent == partyB;
    let weight: u64 = 0;
    if (mayVote(validator) && !isParty && operatorOf(validator).staked >= leastStake) {
      weight = assignmentWeight(validator, category);
    }
    store<u64>(weights + ((<usize>place) << 3), weight);
    sum += weight;
  }
  return sum;
}

function hashPrefix(eventId: usize): void {
  let to = writeHex(writeLiteral(MESSAGE, 'panel:'), eventId, 32);
  to = writeHex(writeLiteral(to, ':'), blockHash(), 32);
  to = writeLiteral(to, ':');
  begin(PREFIX_STATE);
  compress(PREFIX_STATE, MESSAGE);
  compress(PREFIX_STATE, MESSAGE + 64);
}

// First 8 bytes, big-endian, of the hash of draw `k`, a single digit.
function drawNumber(k: u32): u64 {
  const end = writeDecimal(MESSAGE + 136, k);
  store<u8>(end, 0x80);
  memory.fill(end + 1, 0, MESSAGE + 184 - (end + 1));
  store<u64>(MESSAGE + 184, bswap<u64>((<u64>(end - MESSAGE)) << 3));
  copy32(DRAW_STATE, PREFIX_STATE);
  compress(DRAW_STATE, MESSAGE + 128);
  return ((<u64>load<u32>(DRAW_STATE)) << 32) | load<u32>(DRAW_STATE, 4);
}

// The place where the cumulative weight passes `number`, which is below the sum.
function placeOf(number: u64): u32 {
  const weights = root().drawWeights;
  let place: u32 = 0;
  for (let sum: u64 = load<u64>(weights); sum <= number; ) {
    place++;
    sum += load<u64>(weights + ((<usize>place) << 3));
  }
  return place;
}

/**
 * Draws up to `most` (below 10) validators that are not operated by either party; writes their indexes
 * as u16 at `to` and returns how many. Draws are numbered from 1.
 */
export function drawPanel(
  eventId: usize,
  category: u32,
  partyA: u32,
  partyB: u32,
  most: u32,
  to: usize,
): u32 {
  let sum = weighCandidates(category, partyA, partyB);
  let drawn: u32 = 0;
  let isHashed = false;
  while (drawn < most && sum > 0) {
    let place = placeOf(0);
    const weight = load<u64>(root().drawWeights + ((<usize>place) << 3));
    // A last candidate is drawn whatever the hash says.
    if (weight != sum) {
      if (!isHashed) hashPrefix(eventId);
      isHashed = true;
      place = placeOf(drawNumber(drawn + 1) % sum);
    }
    const at = root().drawWeights + ((<usize>place) << 3);
    sum -= load<u64>(at);
    store<u64>(at, 0);
    store<u16>(to + ((<usize>drawn) << 1), <u16>validatorInOrder(place));
    drawn++;
  }
  return drawn;
}
