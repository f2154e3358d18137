// Signed writes over an open stream (protocol 9.5): a frame is a batch with an id in front, and is handled as the same
// batch in a request would be: by the one path that counts, charges, judges and answers it.
// Keeps: of one socket a bounded number of frames is under way, and a bounded number of bytes waits to be read; whoever
// goes on sending what is refused, or reads no answers, is cut off. Never parses what the id's pattern does not match.

import { invalid, rateLimited, type ServiceError } from '../errors.ts';
import { fromUtf8, utf8 } from '../wire/bytes.ts';
import type {
  HttpReply,
  HttpRequest,
  ReadFrame,
  StreamListener,
  StreamOpener,
  StreamSocket,
} from '../world/http.ts';
import { integerOf } from './batch.ts';
import { checkOrigin } from './own-host.ts';

/** Frames of one socket that are begun and not answered. */
export const MAX_FRAMES = 8;
/** Frames in a row that are refused before anything in them was begun. */
export const MAX_REFUSED = 32;
/** Unread bytes of a socket, events included, with which no answer is added. */
export const MAX_UNREAD_BYTES = 1 << 20;
/** When a frame beyond those is worth another try. */
const RETRY_MS = 1000;

const CLOSE_POLICY = 1008;
const CLOSE_SLOW = 1013;

/** `{"id":7,` or `{"id":"text",`: the id comes first, so that what is refused unread is answered by its id. */
const HEAD = /^\s*\{\s*"id"\s*:\s*(0|[1-9]\d{0,14}|"[\w.:-]{1,64}")\s*,/;
/** The longest head, with a few spaces. */
const HEAD_BYTES = 100;
const OPENING = 0x7b;

/** A frame: its id as it is answered, and the batch behind it. */
interface Frame {
  id: string;
  body: Uint8Array;
}

/** Undefined for anything that does not begin with an id. The bytes of `frame` are changed. */
export function readFrame(frame: Uint8Array): Frame | undefined {
  const found = HEAD.exec(String.fromCharCode(...frame.subarray(0, HEAD_BYTES)));
  if (!found) return undefined;
  const at = found[0].length - 1;
  frame[at] = OPENING;
  return { id: found[1]!, body: frame.subarray(at) };
}

/** The answer to a frame: the body of the batch with the id in front; to one that was refused whole, what an outcome has. */
function answerTo(id: string, { status, headers, body }: HttpReply): Uint8Array {
  const text = typeof body === 'string' ? body : fromUtf8(body);
  if (status === 200) return utf8(`{"id":${id},${text.slice(1)}`);
  const retryAfter = integerOf(headers['Retry-After']);
  const wait = retryAfter === undefined ? '' : `"retry_after":${retryAfter},`;
  return utf8(`{"id":${id},"status":${status},${wait}"body":${text}}`);
}

interface StreamWritesOptions {
  /** The handshake: whose address pays for what its socket sends. */
  handshake: HttpRequest;
  handle(request: HttpRequest, reply: (reply: HttpReply) => void): void;
  refusal(error: ServiceError): HttpReply;
  onSlow(): void;
}

class StreamWrites {
  #underWay = 0;
  #refused = 0;
  #isEnded = false;

  constructor(
    private readonly socket: StreamSocket,
    private readonly o: StreamWritesOptions,
  ) {}

  /** Takes a frame, whose bytes are its own. */
  take(bytes: Uint8Array, read: ReadFrame | undefined): void {
    if (this.#isEnded) return;
    const frame = readFrame(bytes);
    if (!frame) {
      this.#refuse('null', invalid('a frame is {"id": <number or text>, "requests": [...]}, the id first'));
      return;
    }
    if (this.#underWay >= MAX_FRAMES) {
      this.#refuse(frame.id, rateLimited(RETRY_MS));
      return;
    }
    this.#underWay += 1;
    this.o.handle(batchOf(frame, this.o.handshake, read), (reply) => {
      this.#underWay -= 1;
      if (reply.status === 200) this.#refused = 0;
      this.#answer(frame.id, reply);
    });
  }

  #refuse(id: string, error: ServiceError): void {
    this.#answer(id, this.o.refusal(error));
  }

  #answer(id: string, reply: HttpReply): void {
    if (this.#isEnded) return;
    if (this.socket.unsentBytes() > MAX_UNREAD_BYTES) {
      this.o.onSlow();
      this.#end(CLOSE_SLOW, 'too slow: answers are not read');
      return;
    }
    this.socket.send([answerTo(id, reply)]);
    if (reply.status === 200) return;
    this.#refused += 1;
    if (this.#refused >= MAX_REFUSED) this.#end(CLOSE_POLICY, 'too many frames that are refused');
  }

  #end(code: number, reason: string): void {
    this.ended();
    this.socket.close(code, reason);
  }

  /** Nothing is taken or sent any more. What is under way is carried out, unanswered. */
  ended(): void {
    this.#isEnded = true;
  }
}

/** A frame as the request that it stands for. */
function batchOf({ body }: Frame, handshake: HttpRequest, read: ReadFrame | undefined): HttpRequest {
  const length = String(read?.byteLength ?? body.length);
  return {
    method: 'POST',
    path: '/v1/batch',
    query: '',
    // What a proxy says of the client holds for all frames; what describes the handshake itself does not.
    header: (name) => {
      if (name === 'content-length') return length;
      return name === 'x-forwarded-for' ? handshake.header(name) : undefined;
    },
    remoteAddress: handshake.remoteAddress,
    body,
    items: read?.items,
    onKey: handshake.onKey,
  };
}

/**
 * A page may use such a stream only where it may send writes: if it is this node's own, or of an origin that the
 * operator listed. Browsers ask nobody before they open a WebSocket. Error: 403 `origin_not_allowed`.
 */
export function checkWritingPage(handshake: HttpRequest, corsOrigins: readonly string[]): void {
  checkOrigin(handshake, corsOrigins, 'read answers to writes');
}

/** A stream whose client may also write. */
export function withWrites(opener: StreamOpener, o: StreamWritesOptions): StreamOpener {
  return (socket) => {
    const writes = new StreamWrites(socket, o);
    const events: StreamListener = opener(socket);
    return {
      drained: () => events.drained(),
      pong: () => events.pong(),
      closed: () => {
        writes.ended();
        events.closed();
      },
      frame: (bytes, read) => writes.take(bytes, read),
    };
  };
}
