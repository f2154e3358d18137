/** Whether an output is the one of a `text` block, in which `...` is any text. */
export function isExpected(expected: string, output: string): boolean;
