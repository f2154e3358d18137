// vws resume-seat: the operator's decision for a seat that may have lost vertices, where no rule decides (consensus 5.12).
// Keeps: works on the data directory of a stopped node; changes nothing without the flag that accepts the risk.

import { loadHeldSeatSettings } from '../../config/config.ts';
import { type Meta, readHead } from '../../execution/recovery.ts';
import { readRecord } from '../../ordering/signed-record.ts';
import { isHeldIn, readGate, type StoredGate, writeGate } from '../../ordering/stored-gate.ts';
import { rowKey } from '../../store/prefixes.ts';
import { readJson } from '../../store/write-set.ts';
import { incarnationOf, numberOf } from '../../wire/seq.ts';
import { type Store, StoreError } from '../../world/store.ts';
import { systemFiles } from '../../world/system/files.ts';
import { openStore } from '../../world/system/open-store.ts';
import { hasStore } from '../../world/system/store-path.ts';
import { type Command, isSwitchOn } from '../command.ts';
import { EXIT, UsageError } from '../exit-code.ts';
import type { Io } from '../io.ts';

const ACCEPT = 'accept-lost-writes';

const RISK = [
  'Risk: vertices that this seat signed may exist on a seat that is down now. Writes that were acknowledged',
  'with their help may be lost, or come back into the order together with that seat. The seat counts as',
  'faulty until the epoch ends: with another faulty seat among four, nodes may disagree about the order.',
  'Do this only when the seats that are down will not return, and for one seat, never for two at once.',
] as const;

/** As people read a seq: `17`, or `17 of incarnation 3`. */
const seqText = (seq: number): string =>
  seq === 0
    ? 'none'
    : `${numberOf(seq)}${seq === numberOf(seq) ? '' : ` of incarnation ${incarnationOf(seq)}`}`;

/** What keeps the seat from signing, in words. */
function stateOf(gate: StoredGate, epoch: number): string {
  if (!isHeldIn(gate, epoch)) return 'signs as usual';
  if (gate.until !== null) return `held: signs nothing before epoch ${gate.until}`;
  return 'held: may have lost vertices, and no quorum of other seats has answered';
}

function showRecord(io: Io, path: string | undefined): void {
  if (path === undefined || !systemFiles.exists(path)) {
    io.out('Last-signed record: none');
    return;
  }
  const { epoch, seq, id } = readRecord(systemFiles, path).newest;
  io.out(`Last-signed record: epoch ${epoch}, vertex ${seqText(seq)}, id ${id}`);
}

function show(io: Io, store: Store, gate: StoredGate, record: string | undefined): void {
  const head = readHead(store);
  io.out(`Genesis: ${readJson<Meta>(store.get(rowKey.meta('meta')))?.genesis_hash}`);
  io.out(`Stands at: epoch ${head.epoch}, block ${head.block}, order ${head.order}`);
  io.out(`Seat: ${stateOf(gate, head.epoch)}`);
  if (gate.resumed)
    io.out(`Resumed: incarnation ${gate.resumed.incarnation} up to epoch ${gate.resumed.until}`);
  showRecord(io, record);
  const claims = gate.claims ?? [];
  if (claims.length === 0) io.out('Other seats that reported: none');
  for (const { seat, epoch, seq, isOpen } of claims) {
    const own = `has vertex ${seqText(seq)} of this seat in epoch ${epoch}`;
    io.out(`Seat ${seat} reported: ${own}, ${isOpen ? 'signs' : 'does not sign'}`);
  }
}

/** Errors: StoreError when the node never started with this store or the seat is not held; UsageError unless accepted. */
export async function decide(
  io: Io,
  store: Store,
  record: string | undefined,
  isAccepted: boolean,
): Promise<void> {
  const gate = readGate(store);
  if (!gate) throw new StoreError('start the node first: it asks its peers what they have of this seat');
  show(io, store, gate, record);
  if (!isHeldIn(gate, readHead(store).epoch))
    throw new StoreError('this seat is not held: there is nothing to decide');
  for (const line of RISK) io.out(line);
  if (!isAccepted) throw new UsageError(`nothing was changed; --${ACCEPT} decides`, 'resume-seat');
  await writeGate(store, { ...gate, isForced: true });
  io.out('Decided: at the next start this seat resumes once another seat has reported. The log says when.');
}

export const resumeSeat: Command = {
  name: 'resume-seat',
  summary: 'let a seat that may have lost vertices sign again',
  about: `For a stopped node that was restored from a copy or has lost its data, and that says it waits for
peers to report: if so many seats are down for good that a quorum never answers, only its operator
can decide. Shows what is known, and the risk. With --${ACCEPT} the decision is stored:
at its next start the node resumes above every vertex of its own that any seat has, unless the others
can sign without it.`,
  options: [{ name: ACCEPT, help: 'decide: acknowledged writes may be lost' }],
  settings: 'resume-seat',
  examples: ['vws resume-seat --data ./node1', `vws resume-seat --data ./node1 --${ACCEPT}`],
  async run(context) {
    const { dataDir, signedRecord } = loadHeldSeatSettings(context);
    if (!hasStore(dataDir)) throw new StoreError(`there is no store in ${dataDir}`);
    const store = await openStore(dataDir, 'auto', (text) => context.io.err(text));
    try {
      await decide(context.io, store, signedRecord, isSwitchOn(context, ACCEPT));
    } finally {
      await store.close();
    }
    return EXIT.DONE;
  },
};
