// The two ends of a thread without a socket: a driver's calls on one side, the service on the other.

import { beforeEach, describe, expect, it } from 'vitest';
import { ROUTES } from '../../../host/api/routes.ts';
import type { SignatureJob } from '../../../host/crypto/verifier.ts';
import { RemoteService } from '../../../host/ingress/remote-service.ts';
import { factsOf } from '../../../host/ingress/service-facts.ts';
import { ThreadLink } from '../../../host/ingress/thread-link.ts';
import { utf8 } from '../../../host/wire/bytes.ts';
import type {
  HttpReply,
  HttpRequest,
  HttpService,
  StreamListener,
  StreamOpener,
  StreamSocket,
} from '../../../host/world/http.ts';
import { RequestHead } from '../../../host/world/request-head.ts';
import { newSigner } from '../../../tools/load/signed-writes.ts';

const OK: HttpReply = { status: 200, headers: { 'X-A': '1' }, body: 'ok' };
const LATE: HttpReply = { status: 429, headers: { 'Retry-After': '3' }, body: 'late' };

/** A socket that notes what is asked of it. */
class Socket implements StreamSocket {
  readonly sent: number[] = [];
  closed: number | undefined;
  unsent = 0;
  send(messages: readonly Uint8Array[]): void {
    for (const message of messages) this.sent.push(message.length);
  }
  unsentBytes(): number {
    return this.unsent;
  }
  ping(): void {}
  close(code: number): void {
    this.closed = code;
  }
  terminate(): void {}
}

/** The two ends; `turn` lets everything happen that is due, and nothing is due by itself. */
class Bed {
  nowMs = 0;
  readonly handled: HttpRequest[] = [];
  readonly frames: (number | string)[] = [];
  readonly packets: Uint8Array[] = [];
  reply = OK;
  jobs: SignatureJob[] = [];
  hubSocket!: StreamSocket;
  #due: (() => void)[] = [];
  readonly #clock = { soon: (run: () => void) => void this.#due.push(run), monotonicMs: () => this.nowMs };
  readonly #service: HttpService = {
    maxBodyBytes: () => 65_536,
    admit: (head) => {
      head.kept = 'kept';
      return head.path === '/early' ? LATE : undefined;
    },
    refusal: () => OK,
    handle: (request, reply) => {
      this.handled.push(request);
      reply(this.reply);
    },
    upgrade: () => (socket) => {
      this.hubSocket = socket;
      return {
        drained: () => void this.frames.push('drained'),
        pong: () => {},
        closed: () => void this.frames.push('closed'),
        frame: (bytes) => void this.frames.push(bytes.length),
      };
    },
  };
  readonly link: ThreadLink = new ThreadLink({
    service: this.#service,
    clock: this.#clock,
    post: (packet) => void this.#due.push(() => this.remote.take(packet)),
    onControl() {},
  });
  readonly remote: RemoteService = new RemoteService({
    facts: factsOf(ROUTES),
    clock: this.#clock,
    verifyMany: (jobs) => {
      this.jobs.push(...jobs);
      return new Uint8Array(jobs.length).fill(1);
    },
    addressOf: ({ remoteAddress }) => remoteAddress,
    isProxy: () => false,
    post: (packet) => {
      this.packets.push(packet);
      this.#due.push(() => this.link.take(packet));
    },
    onControl() {},
  });

  async turn(): Promise<void> {
    while (this.#due.length > 0) {
      this.#due.shift()!();
      await Promise.resolve();
    }
  }

  /** A stream that the service has opened, as its driver holds it. */
  async stream(): Promise<{ socket: Socket; listener: StreamListener }> {
    const opening = this.remote.upgrade(new RequestHead('GET', '/v1/ws', '', '10.0.0.1', []));
    await this.turn();
    const socket = new Socket();
    const listener = ((await opening) as StreamOpener)(socket);
    await this.turn();
    return { socket, listener };
  }
}

const key = newSigner().publicKeyHex;
const signedWrite = (path = '/v1/stake', address = '10.0.0.1'): RequestHead => {
  const headers = {
    'x-service-version': 'SERVICE-TX-V1',
    'x-service-chain-id': 'c',
    'x-service-actor': key,
    'x-service-created': '1700000000',
    'x-service-expires': '1700000060',
    'x-service-nonce': 'ab'.repeat(16),
    'x-service-signature': 'ab'.repeat(64),
  };
  const head = new RequestHead('POST', path, '', address, Object.entries(headers).flat());
  head.body = utf8('{}');
  return head;
};

let bed: Bed;
beforeEach(() => {
  bed = new Bed();
});

describe('requests', () => {
  it('of a turn go as one packet, in order, and their signatures are tried together', async () => {
    const replies: HttpReply[] = [];
    for (const path of ['/v1/stake', '/v1/unstake', '/v1/transfer'])
      bed.remote.handle(signedWrite(path), (reply) => replies.push(reply));
    expect(bed.packets).toEqual([]);
    await bed.turn();
    expect(bed.packets.length).toBe(1);
    expect(bed.jobs.length).toBe(3);
    expect(bed.handled.map(({ path, vetted }) => [path, vetted?.isGood])).toEqual([
      ['/v1/stake', true],
      ['/v1/unstake', true],
      ['/v1/transfer', true],
    ]);
    expect(replies.map(({ status, headers, body }) => [status, headers, body])).toEqual(
      Array(3).fill([200, { 'X-A': '1' }, utf8('ok')]),
    );
  });

  it('of an address that was refused a moment ago are not looked at beforehand', async () => {
    bed.reply = LATE;
    bed.remote.handle(signedWrite(), () => {});
    await bed.turn();
    expect(bed.jobs.length).toBe(1);
    bed.remote.handle(signedWrite(), () => {});
    bed.remote.handle(signedWrite('/v1/stake', '10.0.0.2'), () => {});
    await bed.turn();
    expect(bed.jobs.length).toBe(2);
    expect(bed.handled.map(({ vetted }) => vetted !== undefined)).toEqual([true, false, true]);
    bed.nowMs = 3001;
    bed.remote.handle(signedWrite(), () => {});
    await bed.turn();
    expect(bed.jobs.length).toBe(3);
  });

  it('with long bodies are asked for first: the body follows, or nothing does', async () => {
    const long = (path: string): RequestHead => {
      const head = new RequestHead('POST', path, '', '10.0.0.1', ['content-length', '100000']);
      return head;
    };
    const [good, early, gone] = [long('/v1/batch'), long('/early'), long('/v1/batch')];
    const verdicts = [good, early, gone].map((head) => bed.remote.admit(head));
    expect(verdicts.every((one) => one instanceof Promise)).toBe(true);
    await bed.turn();
    expect(
      ((await Promise.all(verdicts)) as (HttpReply | undefined)[]).map((reply) => reply?.status),
    ).toEqual([undefined, 429, undefined]);
    good.body = new Uint8Array(100_000);
    let status = 0;
    bed.remote.handle(good, (reply) => {
      status = reply.status;
    });
    bed.remote.gone(gone);
    await bed.turn();
    expect(status).toBe(200);
    // What the service kept at the admission is still there.
    expect(bed.handled.map(({ kept, body }) => [kept, body.length])).toEqual([['kept', 100_000]]);
    // A short body, or none, needs no question.
    expect(bed.remote.admit(signedWrite())).toBeUndefined();
  });

  it('whose head could not be told apart are refused here', () => {
    const odd = new RequestHead('GET', '/', '', '10.0.0.1', ['x-a', 'a\nb']);
    expect((bed.remote.admit(odd) as HttpReply).status).toBe(400);
    expect((bed.remote.upgrade(odd) as HttpReply).status).toBe(400);
  });
});

describe('streams', () => {
  it('bring their last frames before their end', async () => {
    const { listener } = await bed.stream();
    listener.frame!(utf8('{"id":1,"requests":[]}'));
    listener.closed();
    await bed.turn();
    expect(bed.frames).toEqual([22, 'closed']);
  });

  it('count what is not accepted, on the way too, and say when it was', async () => {
    const { socket, listener } = await bed.stream();
    bed.hubSocket.send([new Uint8Array(1000), new Uint8Array(500)]);
    expect(bed.hubSocket.unsentBytes()).toBe(1500);
    socket.unsent = 1500;
    await bed.turn();
    expect([socket.sent, bed.hubSocket.unsentBytes(), bed.frames]).toEqual([[1000, 500], 1500, []]);
    socket.unsent = 200;
    listener.drained();
    await bed.turn();
    expect([bed.hubSocket.unsentBytes(), bed.frames]).toEqual([200, ['drained']]);
  });

  it('whose frames are not taken end, those of a client that waits do not', async () => {
    const { socket, listener } = await bed.stream();
    for (let i = 0; i < 200; i++) {
      listener.frame!(new Uint8Array(60_000));
      await bed.turn();
    }
    expect([socket.closed, bed.frames.length]).toEqual([undefined, 200]);
    for (let i = 0; i < 200 && socket.closed === undefined; i++) listener.frame!(new Uint8Array(60_000));
    expect(socket.closed).toBe(1008);
  });

  it('that the service ends get nothing more from their client', async () => {
    const { socket, listener } = await bed.stream();
    bed.hubSocket.close(1008, 'enough');
    listener.frame!(utf8('late'));
    await bed.turn();
    expect([socket.closed, bed.frames]).toEqual([1008, []]);
    listener.closed();
    await bed.turn();
    expect(bed.frames).toEqual(['closed']);
  });

  it('of a client that has gone meanwhile are closed at once', async () => {
    const opening = bed.remote.upgrade(new RequestHead('GET', '/v1/ws', '', '10.0.0.1', []));
    await bed.turn();
    ((await opening) as StreamOpener)(new Socket()).closed();
    await bed.turn();
    expect(bed.frames).toEqual(['closed']);
    bed.hubSocket.send([new Uint8Array(5)]);
    expect(bed.hubSocket.unsentBytes()).toBe(0);
    await bed.turn();
  });
});
