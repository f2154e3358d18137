// A client that keeps each signed request in a file until its outcome is certain, so that a command that is typed again
// after a lost answer cannot do the same thing twice.
//
//   <key file>.spool/commands/    the requests whose outcome is open, each under SHA-256 of chain, method, path and body
//
// Keeps: a request is on disk before it is sent; while one is open, nothing with the same content is signed, by any process.

import type { Rebuild } from '../client/calls.ts';
import { VwsClient, type VwsClientOptions } from '../client/client.ts';
import type { SignedRequest } from '../client/signed-request.ts';
import { VwsError } from '../client/vws-error.ts';
import { sha256Hex } from '../wire/hash.ts';
import type { Clock } from '../world/clock.ts';
import { CommandRefusal } from './exit-code.ts';
import { OpenRequests, type RequestFiles } from './open-requests.ts';

/** Longer than a healthy network needs; a person who sees nothing for longer types the command again. */
const SAY_WAITING_MS = 3_000;

interface Means {
  files: RequestFiles;
  clock: Pick<Clock, 'setTimer'>;
  folder: string;
  /** --resend: send the open request again instead of refusing. */
  isResend: boolean;
  /** One line for the person who waits. */
  tell(line: string): void;
}

export class KeptClient extends VwsClient {
  constructor(
    options: VwsClientOptions,
    private readonly means: Means,
  ) {
    super(options);
  }

  override async write<T>(method: string, path: string, body: object, rebuild?: Rebuild<T>): Promise<T> {
    const { files, folder, isResend } = this.means;
    const request = await this.prepare(method, path, body);
    const intention = sha256Hex(`${await this.chainId()}\n${method} ${path}\n${request.body}`);
    const open = new OpenRequests(files, folder, intention);
    const earlier = open.all();
    if (isResend) {
      const [newest] = earlier;
      if (!newest || !open.repeat(newest)) throw nothingOpen();
      return await this.#send(newest, open, rebuild);
    }
    for (const one of earlier) await this.#settle(one, open);
    if (!open.begin(request)) throw stillOpen(open.all()[0]?.txid);
    return await this.#send(request, open, rebuild);
  }

  /** Returns if the earlier request can never run. Errors: CommandRefusal. */
  async #settle(earlier: SignedRequest, open: OpenRequests): Promise<void> {
    const fate = await this.fate(earlier);
    if (fate.kind === 'open') throw stillOpen(earlier.txid);
    open.end(earlier);
    if (fate.kind === 'never') return;
    throw new CommandRefusal(
      'executed_before',
      'the same command was carried out before, though its answer was lost',
      {
        txid: earlier.txid,
        hint: 'nothing was sent now; type the command once more to do it again',
      },
    );
  }

  async #send<T>(request: SignedRequest, open: OpenRequests, rebuild?: Rebuild<T>): Promise<T> {
    const { clock, tell, isResend } = this.means;
    const cancel = clock.setTimer(
      () => tell(`waiting for the network to order ${request.txid}`),
      SAY_WAITING_MS,
    );
    try {
      const answer = await this.submit(request, rebuild);
      open.end(request);
      return answer;
    } catch (error) {
      if (!(error instanceof VwsError) || error.request !== undefined) throw error;
      // Of a copy: it has run, or none can any more. Of the first one: unless another is out.
      if (isResend) open.end(request);
      else if (!open.refused(request)) throw stillOpen(request.txid);
      throw error;
    } finally {
      cancel();
    }
  }
}

const nothingOpen = (): CommandRefusal =>
  new CommandRefusal('nothing_open', 'no earlier request of this command is open', {
    hint: 'leave out --resend to send a new one',
  });

const stillOpen = (txid: string | undefined): CommandRefusal =>
  new CommandRefusal('outcome_open', 'the same command was sent before, and its outcome is not known yet', {
    ...(txid === undefined ? {} : { txid }),
    hint: '--resend sends that request again, which cannot run twice; or wait two minutes, then it is certain',
  });
