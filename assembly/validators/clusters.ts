// Clusters: validators that judge alike so often that they count as one (protocol 6.9).
// Keeps: rebuilt from all pairs once a day of consensus time, and fixed in between; a cluster is named after the
// member with the smallest id, and has at least two members. O(pairs + validators) per day.

import { BP } from '../ledger/rates';
import { compareText } from '../lib/bytes';
import { daySecs, header } from '../state/header';
import { root } from '../state/root';
import { pairAt } from './pairs';
import { markValidator, validatorAt, validatorId } from './validators';

const ENOUGH_COMMON: u32 = 50;
const STRUCTURED_BP: u64 = 9800;
const OTHERS_BP: u64 = 9500;
// A link is the index of a validator nearer to the one the cluster is named after, with this bit once another
// validator was found to be linked to it.
const IS_JOINED: u32 = 0x80000000;

function linkAt(index: u32): usize {
  return root().clusterLinks + ((<usize>index) << 2);
}

// The validator after which the cluster of this one is named. Shortens links on the way (union-find).
function firstOf(index: u32): u32 {
  let at = index;
  while (load<u32>(linkAt(at)) != at) {
    store<u32>(linkAt(at), load<u32>(linkAt(load<u32>(linkAt(at)))));
    at = load<u32>(linkAt(at));
  }
  return at;
}

function hasSmallerId(a: u32, b: u32): bool {
  const one = validatorAt(a);
  const other = validatorAt(b);
  return compareText(validatorId(one), one.idBytes, validatorId(other), other.idBytes) < 0;
}

function join(a: u32, b: u32): void {
  const one = firstOf(a);
  const other = firstOf(b);
  if (one == other) return;
  if (hasSmallerId(one, other)) store<u32>(linkAt(other), one);
  else store<u32>(linkAt(one), other);
}

/** True when `agreed` of `common` judgements make two validators affiliated. 49 of 50 are 9800 bp. */
export function isAffiliated(common: u32, agreed: u32, isStructured: bool): bool {
  return common >= ENOUGH_COMMON && <u64>agreed * BP >= (isStructured ? STRUCTURED_BP : OTHERS_BP) * common;
}

function joinPairs(): void {
  for (let index: u32 = 0; index < header().validatorCount; index++) store<u32>(linkAt(index), index);
  for (let row: u32 = 0; row < header().pairCount; row++) {
    const pair = pairAt(row);
    const isOne =
      isAffiliated(pair.structured, pair.structuredAgreed, true) ||
      isAffiliated(pair.others, pair.othersAgreed, false);
    if (isOne) join(pair.lower, pair.higher);
  }
}

function setCluster(index: u32, cluster: u32): void {
  const validator = validatorAt(index);
  if (validator.cluster == cluster) return;
  validator.cluster = cluster;
  markValidator(validator);
}

function writeClusters(): void {
  const count = header().validatorCount;
  for (let index: u32 = 0; index < count; index++) store<u32>(linkAt(index), firstOf(index));
  for (let index: u32 = 0; index < count; index++) {
    const first = load<u32>(linkAt(index)) & ~IS_JOINED;
    if (first != index) store<u32>(linkAt(first), first | IS_JOINED);
  }
  for (let index: u32 = 0; index < count; index++) {
    const link = load<u32>(linkAt(index));
    const first = link & ~IS_JOINED;
    const isMember = first != index || (link & IS_JOINED) != 0;
    setCluster(index, isMember ? first + 1 : 0);
  }
}

/** Builds the clusters at the first block of each day, from the judgements of the days before. */
export function rollClusters(nowSecs: u64): void {
  const day = nowSecs / daySecs();
  if (day == header().clusterDay) return;
  header().clusterDay = day;
  joinPairs();
  writeClusters();
}

/** True when two validators (indexes) are in one cluster, or are one and the same. */
export function inOneCluster(a: u32, b: u32): bool {
  if (a == b) return true;
  const cluster = validatorAt(a).cluster;
  return cluster != 0 && cluster == validatorAt(b).cluster;
}

/** True when the validator (index) is in a cluster with others. */
export function isClustered(index: u32): bool {
  return validatorAt(index).cluster != 0;
}
