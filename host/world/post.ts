// One HTTP request to an external host, sent to an address that the caller has checked.

export interface PostRequest {
  isTls: boolean;
  /** Address the socket goes to. */
  address: string;
  port: number;
  /** Name that the certificate must be for; undefined: whatever Node derives from the Host header. */
  servername: string | undefined;
  /** Path and query. */
  target: string;
  headers: Readonly<Record<string, string>>;
  body: string;
  /** The connection ends after this many bytes of the answer. */
  maxAnswerBytes: number;
}

export interface PostAnswer {
  /** 0 when there was no answer. */
  status: number;
  /** What was received of the answer, at most `maxAnswerBytes`. */
  body: Uint8Array;
  /** broken: the connection ended first. */
  end: 'whole' | 'too_long' | 'broken';
}

/** Resolves when the connection is closed; never rejects. */
export type Post = (request: PostRequest, signal: AbortSignal) => Promise<PostAnswer>;
