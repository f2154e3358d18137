// One signature to be checked: what the wire formats hand out and what a verifier takes.

export interface SignatureJob {
  /** 32 bytes as they came; whether the key is acceptable at all is asked in public-key.ts. */
  publicKey: Uint8Array;
  message: Uint8Array;
  /** 64 bytes. */
  signature: Uint8Array;
}
