// A client that keeps each signed request in a file until its outcome is certain, so that a command that is typed again
// after a lost answer cannot do the same thing twice.
//
//   <key file>.spool/commands/<SHA-256 of chain, method, path and body>.json   the request, while its outcome is open
//
// Keeps: a request is on disk before it is sent; while one is open, nothing with the same content is signed.

import type { Rebuild } from '../client/calls.ts';
import { VwsClient, type VwsClientOptions } from '../client/client.ts';
import type { SignedRequest } from '../client/signed-request.ts';
import { VwsError } from '../client/vws-error.ts';
import { sha256Hex } from '../wire/hash.ts';
import type { Clock } from '../world/clock.ts';
import type { Files } from '../world/files.ts';
import { CommandRefusal } from './exit-code.ts';

/** Longer than a healthy network needs; a person who sees nothing for longer types the command again. */
const SAY_WAITING_MS = 3_000;

interface Means {
  files: Pick<Files, 'exists' | 'readText' | 'writeNew' | 'makeDirectory' | 'remove'>;
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
    const file = `${folder}/${intention}.json`;
    if (files.exists(file)) {
      const open = JSON.parse(files.readText(file)) as SignedRequest;
      if (isResend) return await this.#send(open, file, rebuild);
      await this.#settle(open, file);
    } else if (isResend) {
      throw new CommandRefusal('nothing_open', 'no earlier request of this command is open', {
        hint: 'leave out --resend to send a new one',
      });
    }
    files.makeDirectory(folder);
    try {
      files.writeNew(file, `${JSON.stringify(request)}\n`, 0o600);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
      throw stillOpen((JSON.parse(files.readText(file)) as SignedRequest).txid);
    }
    return await this.#send(request, file, rebuild);
  }

  /** Returns if the earlier request can never run. Errors: CommandRefusal. */
  async #settle(open: SignedRequest, file: string): Promise<void> {
    const fate = await this.fate(open);
    if (fate.kind === 'open') throw stillOpen(open.txid);
    this.means.files.remove(file);
    if (fate.kind === 'never') return;
    throw new CommandRefusal(
      'executed_before',
      'the same command was carried out before, though its answer was lost',
      {
        txid: open.txid,
        hint: 'nothing was sent now; type the command once more to do it again',
      },
    );
  }

  async #send<T>(request: SignedRequest, file: string, rebuild?: Rebuild<T>): Promise<T> {
    const { clock, files, tell } = this.means;
    const cancel = clock.setTimer(
      () => tell(`waiting for the network to order ${request.txid}`),
      SAY_WAITING_MS,
    );
    try {
      const answer = await this.submit(request, rebuild);
      files.remove(file);
      return answer;
    } catch (error) {
      // Without a request no copy of it can run any more, or one has.
      if (error instanceof VwsError && error.request === undefined) files.remove(file);
      throw error;
    } finally {
      cancel();
    }
  }
}

const stillOpen = (txid: string): CommandRefusal =>
  new CommandRefusal('outcome_open', 'the same command was sent before, and its outcome is not known yet', {
    txid,
    hint: '--resend sends that request again, which cannot run twice; or wait two minutes, then it is certain',
  });
