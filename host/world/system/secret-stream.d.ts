// The part of @hyperswarm/secret-stream that is used here; the package brings no types.

declare module '@hyperswarm/secret-stream' {
  import type { Socket } from 'node:net';
  import { Duplex } from 'node:stream';

  export default class SecretStream extends Duplex {
    constructor(
      isInitiator: boolean,
      socket: Socket,
      options: {
        keyPair: { publicKey: Buffer; secretKey: Buffer; dh?(point: Uint8Array): Uint8Array };
      },
    );
    readonly remotePublicKey: Uint8Array;
    /** The handshake is over. */
    readonly connected: boolean;
    /** Not of its public face: what noise-handshake keeps; there from the constructor until the handshake is over. */
    readonly _handshake: { readonly noise: import('./link-proof.ts').Handshake };
  }
}
