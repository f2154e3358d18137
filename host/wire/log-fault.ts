// What a node is caught at. Every kind is a claim of the node's that its own data, or the network's rules, contradict.

/** What was wrong with it, as one word: for tests and for pages that explain. */
export type FaultKind =
  /** The genesis document is not the one of the network that was asked for. */
  | 'genesis'
  /** A WebAssembly module is not the one that the validators run. */
  | 'module'
  /** Bytes that are no answer of the protocol. */
  | 'answer'
  /** A vertex that breaks a rule of its own, or of the DAG. */
  | 'vertex'
  /** A vertex that its seat did not sign. */
  | 'signature'
  /** Vertices that must exist were not given. */
  | 'missing'
  /** The order that follows from the vertices is another one than was signed or told. */
  | 'order'
  /** The state that follows from the order is another one than was signed. */
  | 'state'
  /** A checkpoint or seal with a forged signature. */
  | 'forged'
  /** A checkpoint or seal that seats with too little weight have signed. */
  | 'weight'
  /** An agent, task or event is not as the node says. */
  | 'document';

/** Where it was found, as far as there is such a place. */
export interface FaultPlace {
  /** Id of a vertex, hex. */
  vertex?: string;
  order?: number;
  epoch?: number;
  /** Height of a checkpoint. */
  checkpoint?: number;
}

/** The node lied, or its data is damaged: `message` says it in one sentence. */
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
