// Types of the bodies of writes, derived from the node's own table of operations, so that the two cannot drift.

import type { Args, OPERATIONS, OperationName } from '../wire/operations.ts';

type ActorOf<N extends OperationName> = (typeof OPERATIONS)[N]['actors'][number];
/** The body of a write: fields, in micro-units, and members that may name the acting agent (protocol 1.7). */
export type BodyOf<N extends OperationName> = Args<N> & { [A in ActorOf<N>]?: string };
