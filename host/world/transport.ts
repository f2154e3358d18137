// The interface to a transport: messages over links whose other end has proven its key.
// Keeps: small enough for a simulated network and other transports.

/** A key that signs and can do nothing else: the key of the links shows that it speaks for it. */
export interface LinkIdentity {
  publicKey: Uint8Array;
  /** 64 bytes. */
  sign(message: Uint8Array): Uint8Array;
}

/** The key that this end proves on every link. */
export interface TransportKey {
  publicKey: Uint8Array;
  /** Seed and public key, 64 bytes; zeros where the secret is in another process. */
  secretKey: Uint8Array;
  /** The product of the secret scalar and a point, both of Ed25519, where the secret is in another process. */
  dh?(point: Uint8Array): Uint8Array;
  /** Whom the other end is to take this one for, where that is not the key itself. */
  identity?: LinkIdentity;
}

export interface LinkHandlers {
  onMessage(message: Uint8Array): void;
  /** Called once, whichever end closed it. */
  onClose(reason: string): void;
}

/** One connection to a peer. Nothing is read from it before it is opened. */
export interface Link {
  /** Key that the other end has proven to hold or to speak for, 32 bytes. */
  readonly peerKey: Uint8Array;
  /** Whether this node dialed. */
  readonly isDialed: boolean;
  /** For logs: host:port of the other end. */
  readonly address: string;
  /** False while the link's buffer is full: the peer fetches what is not sent then. */
  readonly isWritable: boolean;
  /** Bytes sent and received on the wire. */
  readonly traffic: { sent: number; received: number };
  send(message: Uint8Array): void;
  open(handlers: LinkHandlers): void;
  close(reason: string): void;
}

export interface Transport {
  /** Accepts links; resolves with the port. */
  listen(host: string, port: number): Promise<number>;
  /** Errors: not reachable, handshake failed or too slow. */
  dial(host: string, port: number): Promise<Link>;
  /** Called with each link that was dialed by others. */
  onLink: (link: Link) => void;
  /** Whether a seat is expected at an address: strangers cannot take its places in the handshake. */
  isKnown: (address: string) => boolean;
  close(): Promise<void>;
}
