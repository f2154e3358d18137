// Types shared by the tables of projections, which complete the event document of an executed transaction.

import type { TxOutcome } from '../../core/outcomes.ts';
import type { EntryInput } from '../../ordering/block.ts';
import type { EventDoc } from '../../store/documents.ts';
import type { OperationName, ParsedOf } from '../../wire/operations.ts';
import type { EventWriter, Place } from './event-writer.ts';

/** A transaction to be projected. `doc` has the members common to all events; it is stored after the projection. */
export interface ExecutedTx {
  input: EntryInput;
  outcome: TxOutcome;
  doc: EventDoc;
  place: Place;
  writer: EventWriter;
}
export interface Executed<N extends OperationName> extends ExecutedTx {
  parsed: ParsedOf<N>;
}

export type Projection<N extends OperationName> = (tx: Executed<N>) => void;
/** A projection for each of some operations. */
export type Projections<N extends OperationName> = { [K in N]: Projection<K> };
