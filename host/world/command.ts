// One run of a command of the operator's: text in, text out.

export interface CommandRequest {
  /** As for a shell. Nothing that others wrote may be part of it. */
  line: string;
  /** Standard input. */
  input: string;
  /** The command is ended when its standard output is longer. */
  maxAnswerBytes: number;
}

export interface CommandAnswer {
  /** exit: it ended by itself; too_long: it wrote more than it may; ended: by the signal; not_started: there is no shell. */
  end: 'exit' | 'too_long' | 'ended' | 'not_started';
  /** Exit code; undefined when a signal ended it. */
  code: number | undefined;
  /** Standard output. */
  output: Uint8Array;
  /** The end of standard error, for the log of the operator. */
  errors: string;
}

/** Resolves when the command and all that it started in its process group are gone; never rejects. */
export type RunCommand = (request: CommandRequest, signal: AbortSignal) => Promise<CommandAnswer>;
