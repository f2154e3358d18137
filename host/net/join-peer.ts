// One peer of a joining node: sends requests and waits for the answers.
// Keeps: one request at a time; a missing answer or a lost link gives undefined, not an error; other messages are ignored.

import type { HostPort } from '../config/config.ts';
import { toHex } from '../wire/bytes.ts';
import type { Genesis } from '../wire/genesis.ts';
import type { Clock } from '../world/clock.ts';
import type { Link, Transport } from '../world/transport.ts';
import { helloFault, helloOf } from './hello.ts';
import { decodeMessage, encodeMessage, type HeadMessage, type Message } from './messages.ts';

const GREET_MS = 5000;
const ANSWER_MS = 20_000;

type Answer = Extract<Message, { type: 'hello' | 'head' | 'sealed' | 'fetched' }>;

export interface JoinPeerOptions {
  transport: Transport;
  clock: Clock;
  genesis: Genesis;
  /** This node's key, hex. */
  ownKey: string;
}

export class JoinPeer {
  #waiting: { type: Answer['type']; resolve: (answer: Answer | undefined) => void } | undefined;
  /** Answers that arrived before they were waited for. */
  readonly #early: Answer[] = [];
  #isGone = false;
  /** Why the link ended: the peer's reason or the link's. */
  reason = 'it did not answer';

  private constructor(
    private readonly link: Link,
    readonly address: HostPort,
    private readonly clock: Clock,
  ) {}

  get key(): string {
    return toHex(this.link.peerKey);
  }

  get isGone(): boolean {
    return this.#isGone;
  }

  /** Its reported head; undefined before hellos were exchanged. */
  head: HeadMessage | undefined;

  /** A peer that has sent its hello and its head; otherwise the reason as text. */
  static async connect(o: JoinPeerOptions, address: HostPort): Promise<JoinPeer | string> {
    const link = await dialed(o, address);
    if (typeof link === 'string') return link;
    const peer = new JoinPeer(link, address, o.clock);
    if (peer.key === o.ownKey) return peer.#refuse('this is the node itself');
    link.open({ onMessage: (bytes) => peer.#onFrame(bytes), onClose: (reason) => peer.#onClose(reason) });
    link.send(encodeMessage(helloOf(o.genesis, false)));
    const theirs = await peer.#wait('hello', GREET_MS);
    if (theirs?.type !== 'hello') return peer.#refuse(peer.reason);
    const fault = helloFault(theirs, o.genesis);
    if (fault !== undefined) return peer.#refuse(fault);
    const head = await peer.#wait('head', GREET_MS);
    if (head?.type !== 'head') return peer.#refuse(peer.reason);
    peer.head = head;
    return peer;
  }

  #refuse(reason: string): string {
    this.link.close(reason);
    return reason;
  }

  async seals(from: number): Promise<Extract<Message, { type: 'sealed' }> | undefined> {
    const answer = await this.#ask({ type: 'seals', from }, 'sealed');
    return answer?.type === 'sealed' && answer.from === from ? answer : undefined;
  }

  async rows(epoch: number, after: Uint8Array): Promise<Extract<Message, { type: 'fetched' }> | undefined> {
    const answer = await this.#ask({ type: 'fetch', epoch, after }, 'fetched');
    return answer?.type === 'fetched' && answer.epoch === epoch ? answer : undefined;
  }

  close(): void {
    if (this.#isGone) return;
    this.link.send(encodeMessage({ type: 'bye', reason: 'the node has joined, or uses another peer' }));
    this.link.close('the node has joined, or uses another peer');
  }

  async #ask(request: Message, type: Answer['type']): Promise<Answer | undefined> {
    if (this.#isGone) return undefined;
    const answer = this.#wait(type, ANSWER_MS);
    this.link.send(encodeMessage(request));
    const found = await answer;
    // A late answer would be mistaken for the one to the next request.
    if (!found) this.link.close('it did not answer');
    return found;
  }

  #wait(type: Answer['type'], ms: number): Promise<Answer | undefined> {
    const at = this.#early.findIndex((message) => message.type === type);
    if (at >= 0) return Promise.resolve(this.#early.splice(at, 1)[0]);
    if (this.#isGone) return Promise.resolve(undefined);
    return new Promise((resolve) => {
      const cancel = this.clock.setTimer(() => this.#answer(undefined), ms);
      this.#waiting = {
        type,
        resolve(answer) {
          cancel();
          resolve(answer);
        },
      };
    });
  }

  #answer(answer: Answer | undefined): void {
    const waiting = this.#waiting;
    this.#waiting = undefined;
    waiting?.resolve(answer);
  }

  #onFrame(bytes: Uint8Array): void {
    const message = decodeMessage(bytes);
    if (!message) {
      this.link.close('malformed message');
      return;
    }
    switch (message.type) {
      case 'ping':
        this.link.send(
          encodeMessage({ type: 'pong', nonce: message.nonce, wallMs: this.clock.nowMs(), usedMs: 0 }),
        );
        return;
      case 'bye':
        this.reason = message.reason.slice(0, 200);
        return;
      case 'head':
        if (this.head) {
          this.head = message;
          return;
        }
        break;
      case 'hello':
      case 'sealed':
      case 'fetched':
        break;
      default:
        return;
    }
    // The link reuses its buffer, and the answer is read after other messages have arrived.
    const own = decodeMessage(bytes.slice()) as Answer;
    if (this.#waiting?.type === own.type) this.#answer(own);
    else if (this.#early.length < 2) this.#early.push(own);
  }

  #onClose(reason: string): void {
    this.#isGone = true;
    if (this.reason === 'it did not answer') this.reason = reason;
    this.#answer(undefined);
  }
}

/** A link to an address, or the reason why there is none. */
async function dialed(o: JoinPeerOptions, { host, port }: HostPort): Promise<Link | string> {
  let cancel = (): void => {};
  const late = new Promise<string>((resolve) => {
    cancel = o.clock.setTimer(() => resolve('it cannot be reached'), GREET_MS);
  });
  const dialing = o.transport
    .dial(host, port)
    .catch((error: Error) => error.message || 'it cannot be reached');
  const first = await Promise.race([dialing, late]);
  cancel();
  if (typeof first === 'string') {
    void dialing.then((link) => typeof link !== 'string' && link.close('it came too late'));
  }
  return first;
}
