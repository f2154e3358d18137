// Why a module is not a program.

export class ProgramFault extends Error {
  override readonly name = 'ProgramFault';
}

/** Throws ProgramFault with the text unless the condition holds. */
export function demand(condition: boolean, text: string): asserts condition {
  if (!condition) throw new ProgramFault(text);
}
