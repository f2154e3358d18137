// What a thread that takes requests in found out about a signed request before the node saw it (protocol 5.2).
// Keeps: it says by which key the signature was tried; whether that key is the signer's is for the node's state to say.

export interface Vetted {
  /** body_sha256 of protocol 5.2, hex64. */
  bodySha256: string;
  /** Is the body empty or JSON with a canonical form; otherwise it has no value. */
  hasValue: boolean;
  /** TxID, 32 bytes. */
  id: Uint8Array;
  /** The key that the signature was tried with, 32 bytes. */
  publicKey: Uint8Array;
  /** Is the signature one of the request's sign bytes by that key. */
  isGood: boolean;
}
