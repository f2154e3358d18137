// Calls a tool: checks the arguments, runs it, and makes the result that MCP wants.
// Keeps: structuredContent and text are the same JSON; what went wrong in the business is a result with isError, which
// models see and mend, never a protocol error. Every client can read an answer, whatever texts are in it.

import { invalid } from '../errors.ts';
import { type FieldTable, jsonSchemaOf, readFields } from '../wire/fields.ts';
import { refusalOf } from './refusal.ts';
import type { Tool, ToolContext } from './tool.ts';

export interface CallResult {
  content: { type: 'text'; text: string }[];
  structuredContent: Record<string, unknown>;
  isError?: boolean;
  [member: string]: unknown;
}

/** The row of tools/list. */
export const toolEntry = ({ name, title, description, fields, hints }: Tool) => ({
  name,
  title,
  description,
  inputSchema: {
    type: 'object' as const,
    ...jsonSchemaOf(fields, (schema) => schema),
    additionalProperties: false,
  } as {
    type: 'object';
  },
  annotations: { ...hints },
});

/** `onFault`: gets errors that are not refusals. */
export async function callTool(
  { fields, run }: Tool,
  given: Record<string, unknown>,
  context: ToolContext,
  onFault: (error: unknown) => void,
): Promise<CallResult> {
  try {
    refuseUnknown(fields, given);
    const answer = await run(context, readFields(fields, given));
    return resultOf({ ...answer, ...context.fence.notice });
  } catch (error) {
    const refusal = refusalOf(error, context.fence);
    if (refusal) return { ...resultOf({ ...refusal, ...context.fence.notice }), isError: true };
    onFault(error);
    const text =
      'The program failed. Repeat the call once; if it fails again, tell the person who runs this.';
    return {
      ...resultOf({ error: { code: 'internal', message: 'internal error' }, next: text }),
      isError: true,
    };
  }
}

/** A misspelt argument must not be dropped: an amount or a limit could be in it. */
function refuseUnknown(fields: FieldTable, given: Record<string, unknown>): void {
  const unknown = Object.keys(given).filter((name) => !Object.hasOwn(fields, name));
  if (unknown.length === 0) return;
  const known = Object.keys(fields).join(', ') || 'none';
  throw invalid(`unknown argument ${unknown.join(', ')}; known: ${known}`);
}

/** What JSON.stringify writes for half a surrogate pair. Clients that read JSON strictly would never see the answer. */
const HALF_PAIR = /(?<!\\)((?:\\\\)*)\\ud[89a-f][0-9a-f]{2}/g;

function resultOf(value: Record<string, unknown>): CallResult {
  const text = JSON.stringify(value).replace(HALF_PAIR, '$1\ufffd');
  return {
    content: [{ type: 'text', text }],
    structuredContent: JSON.parse(text) as Record<string, unknown>,
  };
}
