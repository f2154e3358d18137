// Proof that a node's data is wrong: every kind is a claim of the node that its own data, or the network's rules,
// contradict.

/** What is wrong, as one word: for tests and for pages that explain it. */
export type FaultKind =
  /** The genesis document belongs to another network. */
  | 'genesis'
  /** A WebAssembly module differs from the one that the validators run. */
  | 'module'
  /** The answer does not follow the protocol. */
  | 'answer'
  /** A vertex breaks a rule for its form or of the DAG. */
  | 'vertex'
  /** A vertex is not signed by its seat. */
  | 'signature'
  /** Vertices that must exist are missing. */
  | 'missing'
  /** The vertices give a different order than was signed or reported. */
  | 'order'
  /** Executing the order gives a different state than was signed. */
  | 'state'
  /** A checkpoint or seal has a forged signature. */
  | 'forged'
  /** The seats that signed a checkpoint or seal have too little weight. */
  | 'weight'
  /** A proof does not lead to the root, or is not about what was asked for. */
  | 'proof'
  /** The history does not contain the checkpoint that was pinned. */
  | 'pin'
  /** Two histories of one network were signed. */
  | 'histories'
  /** The node makes the check cost more than any honest node would. */
  | 'bound'
  /** An agent, task or event differs from what the node reports. */
  | 'document';

/** Where the fault was found, as far as it has such a place. */
export interface FaultPlace {
  /** Id of a vertex, hex. */
  vertex?: string;
  order?: number;
  epoch?: number;
  /** Height of a checkpoint. */
  checkpoint?: number;
}

/** The node lied, or its data is damaged: `message` explains it in one sentence. */
export class LogFault extends Error {
  override name = 'LogFault';

  constructor(
    readonly kind: FaultKind,
    message: string,
    readonly place: FaultPlace = {},
  ) {
    super(message);
  }
}
