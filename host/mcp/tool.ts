// The row type of the table of tools (tools.ts), and what a tool gets to work with.
// Keeps: a tool is a function of its context and checked arguments, without transport, so that tests call it directly
// and both doors (stdio, the node's /mcp) serve the same one.

import type { Calls } from '../client/calls.ts';
import type { VwsClient } from '../client/client.ts';
import type { TaskResult } from '../client/objects.ts';
import type { Fence } from '../wire/fence.ts';
import type { FieldTable, Values } from '../wire/fields.ts';
import type { Environment } from '../world/world.ts';
import type { LogCheck } from './log-check.ts';
import type { Allowance } from './spending.ts';

/** MCP's annotations; all four are always given, because their defaults differ from what most tools do. */
export interface Hints {
  readOnlyHint: boolean;
  destructiveHint: boolean;
  idempotentHint: boolean;
  openWorldHint: boolean;
}

/** What a signed write is for. */
export interface Intent {
  tool: string;
  /** The caller's name for this intention; undefined: each call is one of its own. */
  key: string | undefined;
  /** What it takes out of the agent's free balance, bonds included, micro-units. */
  spendMicro: number;
  /** What else the network takes for it, for the name of a category; counted as spent. */
  feeMicro?: number;
  /** What it pays out of an escrow, which was taken earlier; within the limit of a call too. */
  releaseMicro?: number;
  /** Who gets money by it, if anybody does: an id as the caller gave it or the node told it; 'anyone': who claims. */
  recipient?: { agent: string } | 'anyone';
}

/** Answers of tools. `next`: the step that usually follows. */
export interface Answer {
  next: string;
  [member: string]: unknown;
}

export interface ToolContext {
  /** Reads. */
  calls: Pick<Calls, 'get'>;
  environment: Pick<Environment, 'clock' | 'randomBytes'>;
  fence: Fence;
  /** Aborts when the client has given the call up: what only waits for it ends then. */
  cancelled?: AbortSignal;
  /** hex64 public key of the agent whose tools these are; undefined: nobody's. */
  ownKey: string | undefined;
  /** The id that key is registered under; undefined: it is not, or there is no key. */
  ownId(): Promise<string | undefined>;
  /** Signs, keeps and sends one write. Only where there is a key. */
  act?: <T>(intent: Intent, write: (client: VwsClient) => Promise<T>) => Promise<T & { txid: string }>;
  /** What may still be spent. */
  allowance?(): Promise<Allowance>;
  logCheck?: LogCheck;
  /** The text of a result, as `VwsClient.tasks.textOf` opens it; a node has it from itself. */
  textOf?(result: TaskResult): Promise<string>;
  /** Proves a document, as `VwsClient.verifyProof` does. */
  prove?: VwsClient['verifyProof'];
}

export interface Tool<F extends FieldTable = FieldTable> {
  name: string;
  title: string;
  /** For models: what it does and when to use it. */
  description: string;
  fields: F;
  hints: Hints;
  /** `reads`: nothing else, so that the node offers it too. `local`: reads, but with time or work of its own. */
  needs: 'reads' | 'local' | 'key';
  run(context: ToolContext, args: Values<F>): Promise<Answer>;
}

/** A row of the table; its type is that of its fields inside, and a common one outside. */
export const tool = <const F extends FieldTable>(row: Tool<F>): Tool => row as unknown as Tool;

/** Hints of a tool that only reads; `open`: shows what others wrote. */
export const reading = (open: boolean): Hints => ({
  readOnlyHint: true,
  destructiveHint: false,
  idempotentHint: true,
  openWorldHint: open,
});

/**
 * Hints of a tool that writes. Idempotent, all of them: a repeated call is the same signed request, or is refused because
 * the first one has changed the state. `final`: what it does cannot be taken back.
 */
export const writing = ({ final }: { final: boolean }): Hints => ({
  readOnlyHint: false,
  destructiveHint: final,
  idempotentHint: true,
  openWorldHint: true,
});
