// The two answers of an operation in the model: a refusal with its details, or effects to run.

export class Refusal {
  constructor(
    readonly code: number,
    readonly details: bigint[] = [],
  ) {}
}

/** Effects to run when all refusals were passed; they give the result words. */
export type Effect = () => bigint[];
export type Verdict = Refusal | Effect;

export const refuse = (code: number, ...details: bigint[]): Refusal => new Refusal(code, details);
