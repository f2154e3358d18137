// How tools that write reach the means to do so.

import type { ToolContext } from '../tool.ts';

/** The context of a tool that needs a key has one: tools without are not offered (tools.ts). */
export function acting({ act }: ToolContext): NonNullable<ToolContext['act']> {
  if (!act) throw new Error('a tool that needs a key was offered without one');
  return act;
}
