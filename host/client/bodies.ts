// Types of the bodies of writes, derived from the table of operations, so that they cannot drift from what the node reads.

import type { Args, OPERATIONS, OperationName } from '../wire/operations.ts';

type ActorOf<N extends OperationName> = (typeof OPERATIONS)[N]['actors'][number];
/** The body of a write: its fields, and the members that may name the acting agent (protocol 1.7); amounts in micro-units. */
export type BodyOf<N extends OperationName> = Args<N> & { [A in ActorOf<N>]?: string };
