// Seals as evidence (consensus 5.12 "Joining"): what proves the next seat table, and what is refused under which name.

import { describe, expect, it } from 'vitest';
import { type KeyPair, keyPairFromSeed } from '../../../host/crypto/key-pair.ts';
import { referenceVerifyMany } from '../../../host/crypto/reference-verify.ts';
import {
  decodeProof,
  encodeProof,
  isOpened,
  openerOf,
  SealChain,
  type SealProof,
  signaturesOf,
} from '../../../host/net/join-seals.ts';
import { type Epoch, epochDoc, genesisEpoch, nextEpoch } from '../../../host/ordering/epoch.ts';
import {
  checkpointHash,
  checkpointSigningBytes,
  encodeCheckpoint,
  type SeatWeight,
} from '../../../host/wire/block.ts';
import { buildGenesis } from '../../../host/wire/genesis.ts';
import { encodeVertex, makeVertex } from '../../../host/wire/vertex.ts';

const keyOf = (n: number): KeyPair => keyPairFromSeed(new Uint8Array(32).fill(n));
const KEYS = [1, 2, 3, 4].map(keyOf);
const genesis = buildGenesis({
  testnet: true,
  manifest: {
    entries: KEYS.map((key, i) => ({
      validator_id: `v${i + 1}`,
      operator_agent_id: key.publicKeyHex,
      consensus_public_key: key.publicKeyHex,
      key_epoch: 1,
      bonded_stake: 100_000_000_000,
      initial_status: 'active' as const,
    })),
  },
});
const FIRST = genesisEpoch(genesis);
const PEER = 'ab'.repeat(32);

interface Wanted {
  /** Table that the seal opens; default: the same. */
  seats?: readonly SeatWeight[];
  /** Seats that sign, and with which keys. */
  signers?: readonly number[];
  keys?: readonly KeyPair[];
  /** Where it lies, if elsewhere. */
  block?: number;
  order?: number;
  timeMs?: number;
}

/** A seal of an epoch, and the epoch that it opens. */
function sealOf(sealed: Epoch, wanted: Wanted = {}): { proof: SealProof; opened: Epoch } {
  const { seats = sealed.seats, signers = [0, 1, 2], keys = KEYS } = wanted;
  const hash = new Uint8Array(32).fill(sealed.number + 7);
  const { block = sealed.firstBlock + 63, order = sealed.firstOrder + 300 } = wanted;
  const { timeMs = sealed.previousTimeMs + 5000 } = wanted;
  const opened = nextEpoch(genesis.hash, sealed, { block, hash, order, timeMs }, seats);
  const statement = encodeCheckpoint({
    height: 4 * (sealed.number + 1),
    order,
    blockIndex: block,
    timeMs,
    epochId: sealed.id,
    blockHash: hash,
    stateRoot: new Uint8Array(32).fill(9),
    manifestDigest: opened.digest,
  });
  const message = checkpointSigningBytes(checkpointHash(statement));
  const signatures = signers.map((seat) => ({ seat, signature: keys[seat]!.sign(message) }));
  return { proof: { statement, seats, signatures }, opened };
}

const newChain = (): SealChain => new SealChain(FIRST, genesis.hash, referenceVerifyMany);

/** Why a chain refuses a proof. */
function faultOf(proof: SealProof | Uint8Array): string | undefined {
  const chain = newChain();
  const isProven = chain.add(proof instanceof Uint8Array ? proof : encodeProof(proof), PEER);
  expect(isProven).toBe(chain.length === 1);
  return chain.faults.get(PEER)?.text;
}

describe('a chain of seals', () => {
  it('follows tables and rotated keys from the manifest on', () => {
    const rotated = [...KEYS.slice(0, 3), keyOf(40)];
    const first = sealOf(FIRST, {
      seats: FIRST.seats.map((seat, i) => ({ ...seat, key: rotated[i]!.publicKey })),
    });
    const second = sealOf(first.opened, { signers: [1, 2, 3], keys: rotated });
    const chain = newChain();
    expect(chain.add(encodeProof(first.proof), PEER)).toBe(true);
    expect(chain.add(encodeProof(second.proof), PEER)).toBe(true);
    expect(chain.length).toBe(2);
    expect(chain.epoch).toEqual(second.opened);
    expect(chain.seals.map((seal) => signaturesOf(seal).map(({ seat }) => seat))).toEqual([
      [0, 1, 2],
      [1, 2, 3],
    ]);
  });

  it('keeps nothing of a proof but what is new in it', () => {
    const seats = FIRST.seats.map((seat, i) => (i === 2 ? { ...seat, weight: seat.weight + 1n } : seat));
    const { proof } = sealOf(FIRST, { seats });
    const chain = newChain();
    expect(chain.add(encodeProof(proof), PEER)).toBe(true);
    const [{ bytes, statement, signatures, opened }] = chain.seals as [(typeof chain.seals)[0]];
    for (const part of [bytes, statement.epochId, statement.stateRoot])
      expect(part.buffer.byteLength).toBe(168);
    expect(signatures.length).toBe(3 * 66);
    for (const seat of [0, 1, 3]) expect(opened.seats[seat]).toBe(FIRST.seats[seat]);
    expect(opened.seats[2]!.key).toBe(FIRST.seats[2]!.key);
    expect(opened.seats[2]!.weight).toBe(seats[2]!.weight);
  });

  it('refuses more signatures than seats before it verifies any', () => {
    let verified = 0;
    const chain = new SealChain(FIRST, genesis.hash, (jobs) => {
      verified += jobs.length;
      return referenceVerifyMany(jobs);
    });
    const { proof } = sealOf(FIRST, { signers: [0, 1, 2, 3, 3] });
    expect(chain.add(encodeProof(proof), PEER)).toBe(false);
    expect(chain.faults.get(PEER)?.text).toMatch('more signatures than seats');
    expect(verified).toBe(0);
  });

  it('adds up the signatures that several peers have', () => {
    const chain = newChain();
    const part = (signers: number[]): Uint8Array => encodeProof(sealOf(FIRST, { signers }).proof);
    expect(chain.add(part([0]), 'a')).toBe(false);
    expect(chain.faults.get('a')?.text).toBe(
      'its seal of epoch 0: 1 of 4 seats have signed it, which is not a quorum',
    );
    expect(chain.add(part([0, 2]), 'b')).toBe(false);
    expect(chain.add(part([3]), 'c')).toBe(true);
    expect(signaturesOf(chain.seals[0]!).map(({ seat }) => seat)).toEqual([0, 2, 3]);
  });

  it('refuses a forged signature, too little weight and one seat counted twice', () => {
    const forged = sealOf(FIRST, { keys: [KEYS[0]!, KEYS[1]!, keyOf(66), KEYS[3]!] });
    expect(faultOf(forged.proof)).toBe('its seal of epoch 0: the signature of seat 2 is forged');
    expect(faultOf(sealOf(FIRST, { signers: [1, 2] }).proof)).toMatch(/2 of 4 seats .* not a quorum/);
    expect(faultOf(sealOf(FIRST, { signers: [1, 2, 2] }).proof)).toMatch(/2 of 4 seats .* not a quorum/);
    const { proof } = sealOf(FIRST);
    const stranger = { ...proof, signatures: [{ seat: 9, signature: proof.signatures[0]!.signature }] };
    expect(faultOf(stranger)).toMatch('seat 9 has no weight in its epoch');
  });

  it('refuses another table than the one that was signed, and another epoch', () => {
    const { proof, opened } = sealOf(FIRST);
    const mine = { key: keyOf(66).publicKey, weight: proof.seats[3]!.weight };
    expect(faultOf({ ...proof, seats: [...proof.seats.slice(0, 3), mine] })).toMatch(
      'seat table is not the one',
    );
    const heavier = proof.seats.map((seat, i) => (i === 0 ? { ...seat, weight: seat.weight + 1n } : seat));
    expect(faultOf({ ...proof, seats: heavier })).toMatch('seat table is not the one');
    const late = proof.seats.map((seat, i) => (i === 0 ? { ...seat, isLate: true } : seat));
    expect(faultOf({ ...proof, seats: late })).toMatch('seat table is not the one');
    expect(faultOf({ ...proof, seats: proof.seats.slice(1) })).toMatch('another number of seats');
    expect(faultOf(sealOf(opened).proof)).toMatch('it is of another epoch');
  });

  it('refuses a seal that lies before its epoch, though a quorum has signed it', () => {
    const first = sealOf(FIRST);
    const { firstBlock, firstOrder, previousTimeMs } = first.opened;
    const fault = (wanted: Wanted): string | undefined => {
      const chain = newChain();
      expect(chain.add(encodeProof(first.proof), PEER)).toBe(true);
      chain.add(encodeProof(sealOf(first.opened, wanted).proof), PEER);
      return chain.faults.get(PEER)?.text;
    };
    expect(fault({ block: firstBlock, order: firstOrder, timeMs: previousTimeMs })).toBeUndefined();
    expect(fault({ block: firstBlock - 1 })).toMatch('it lies before its epoch');
    expect(fault({ order: firstOrder - 1 })).toMatch('it lies before its epoch');
    expect(fault({ timeMs: previousTimeMs - 1 })).toMatch('its time lies before its epoch');
  });

  it('refuses the signature of a seat without weight', () => {
    const seats = FIRST.seats.map((seat, i) => (i === 3 ? { ...seat, weight: 0n } : seat));
    const first = sealOf(FIRST, { seats });
    const chain = newChain();
    expect(chain.add(encodeProof(first.proof), PEER)).toBe(true);
    const second = sealOf(first.opened, { signers: [0, 1, 2, 3] });
    expect(chain.add(encodeProof(second.proof), PEER)).toBe(false);
    expect(chain.faults.get(PEER)?.text).toMatch('seat 3 has no weight in its epoch');
  });

  it('says which seats are late, in one way', () => {
    const seats = FIRST.seats.map((seat, i) => (i === 2 ? { ...seat, isLate: true } : seat));
    const { proof, opened } = sealOf(FIRST, { seats });
    const chain = newChain();
    expect(chain.add(encodeProof(proof), PEER)).toBe(true);
    expect(chain.epoch).toEqual(opened);
    expect(chain.epoch.seats.map(({ isLate }) => isLate ?? false)).toEqual([false, false, true, false]);
    const bytes = encodeProof(proof);
    bytes[proof.statement.length + 2 + 3 * 41 - 1]! += 1;
    expect(decodeProof(bytes)).toBeUndefined();
  });

  it('refuses malformed proofs, every truncation included', () => {
    const bytes = encodeProof(sealOf(FIRST).proof);
    expect(decodeProof(bytes)).toEqual(sealOf(FIRST).proof);
    for (let length = 0; length < bytes.length; length++) {
      expect(decodeProof(bytes.subarray(0, length))).toBeUndefined();
    }
    expect(faultOf(bytes.subarray(1))).toMatch('cannot be read');
    expect(decodeProof(Uint8Array.of(...bytes, 0))).toBeUndefined();
  });

  it('has no room for a claim that no digest binds: nobody can make a joiner exclude a seat without weight', () => {
    const seats = FIRST.seats.map((seat, i) => (i === 3 ? { ...seat, weight: 0n } : seat));
    const { proof, opened } = sealOf(FIRST, { seats });
    const honest = encodeProof(proof);
    const tableEnd = proof.statement.length + 2 + 41 * seats.length;
    // A list of one seat, the last, between the table and the signatures: the honest seat whose weight is 0 for now.
    const lie = Uint8Array.of(...honest.subarray(0, tableEnd), 1, 0, 3, 0, ...honest.subarray(tableEnd));
    const deceived = newChain();
    if (deceived.add(lie, PEER)) expect(deceived.epoch).toEqual(opened);
    else expect(deceived.faults.get(PEER)?.text).toMatch('cannot be read');
    const chain = newChain();
    expect(chain.add(honest, PEER)).toBe(true);
    expect(chain.epoch).toEqual(opened);
    expect(Object.keys(epochDoc(chain.epoch))).toEqual([
      'number',
      'seats',
      'seal_block',
      'first_block',
      'first_order',
      'previous_time_ms',
    ]);
  });
});

describe('an epoch that is claimed to have opened', () => {
  const { opened } = sealOf(FIRST);
  const opener = (creator: number, key = KEYS[creator]!, epochId = opened.id): Uint8Array => {
    const fields = { work: true, creator, seq: 1, lamport: 1, timeMs: 5, epochId, parents: [] };
    return openerOf(encodeVertex(makeVertex(fields, [Buffer.from('an entry')], (m) => key.sign(m), 4)));
  };
  const isOpen = (...openers: Uint8Array[]): boolean => isOpened(opened, openers, referenceVerifyMany);

  it('counts seats with good vertices in it, once each: more than a third of the weight', () => {
    expect(isOpen(opener(0), opener(3))).toBe(true);
    expect(isOpen(opener(0))).toBe(false);
    expect(isOpen(opener(0), opener(0))).toBe(false);
    expect(isOpen(opener(0), opener(3, keyOf(66)))).toBe(false);
    // If a checkpoint in the middle of an epoch is passed off as its seal, the vertices belong to the continuing epoch.
    expect(isOpen(...[0, 1, 2, 3].map((seat) => opener(seat, KEYS[seat], FIRST.id)))).toBe(false);
    expect(isOpen(opener(0), Uint8Array.of(1, 2), opener(3).subarray(0, 100))).toBe(false);
  });

  it('is not opened by a third exactly', () => {
    const seats = FIRST.seats.map((seat, i) => ({ ...seat, weight: i === 3 ? 0n : 1n }));
    const three = sealOf(FIRST, { seats }).opened;
    const by = (...creators: number[]): boolean =>
      isOpened(
        three,
        creators.map((creator) => opener(creator, KEYS[creator], three.id)),
        referenceVerifyMany,
      );
    expect(by(0, 3)).toBe(false);
    expect(by(0, 1)).toBe(true);
  });

  it('costs one signature of a seat, however many openers name it', () => {
    let verified = 0;
    const forged = Array.from({ length: 50 }, () => opener(0, keyOf(66)));
    isOpened(opened, forged, (jobs) => {
      verified += jobs.length;
      return referenceVerifyMany(jobs);
    });
    expect(verified).toBe(1);
  });
});
