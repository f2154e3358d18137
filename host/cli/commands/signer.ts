// vws signer: holds the key of a node in a process of its own (protocol 12.11).
// Keeps: a key that may have signed vertices begins a book only when the operator says so; a key directory has one signer.

import { join } from 'node:path';
import { loadKeySettings } from '../../config/config.ts';
import { KeyFileError } from '../../crypto/key-file.ts';
import type { SigningKey } from '../../crypto/key-pair.ts';
import {
  hasNodeKeyFile,
  hasTokenKeyFile,
  nodeKeyPath,
  readNodeKeyFile,
  tokenKeyPath,
} from '../../crypto/node-key-file.ts';
import { encodeRefusal, SECOND_NODE } from '../../crypto/signer/messages.ts';
import { type KeySecrets, Signer } from '../../crypto/signer/signer.ts';
import { VertexBook } from '../../crypto/signer/vertex-book.ts';
import { openTokenKey } from '../../crypto/token-key.ts';
import { clearUnused, isMarkedUnused } from '../../crypto/unused-key.ts';
import { systemFiles } from '../../world/system/files.ts';
import { curveProduct } from '../../world/system/link-curve.ts';
import { holdKeyDirectory, listenSigner } from '../../world/system/signer-socket.ts';
import { TokenError } from '../../world/token.ts';
import { type Command, type CommandContext, isSwitchOn, optionText } from '../command.ts';
import { EXIT, type ExitCode } from '../exit-code.ts';
import { findPassphrase } from '../passphrase.ts';

const BEGIN = 'begin-record';
const FOR_GROUP = 'for-group';

/** Errors: KeyFileError for a damaged book, and for a missing one of a used key. */
async function bookOf(context: CommandContext, dataDir: string, key: string): Promise<VertexBook> {
  const path = optionText(context, 'record') ?? join(dataDir, 'signed_vertices.json');
  if (VertexBook.exists(systemFiles, path)) return VertexBook.open(systemFiles, path, key);
  if (isMarkedUnused(systemFiles, dataDir, key) || isSwitchOn(context, BEGIN))
    return VertexBook.begin(systemFiles, path, key);
  throw new KeyFileError(
    `there is no record ${path} of what this key has signed. If it was lost, put nothing in its place but with the node stopped: --${BEGIN} begins one, and the node asks its peers first`,
  );
}

interface OpenedKey {
  key: SigningKey;
  secrets: KeySecrets | undefined;
  close(): void;
}

/** The key of the directory, in a file or in a token. Errors: KeyFileError. */
async function openedKey(context: CommandContext, dataDir: string): Promise<OpenedKey> {
  const isInToken = hasTokenKeyFile(dataDir);
  const path = isInToken ? tokenKeyPath(dataDir) : nodeKeyPath(dataDir);
  if (isInToken === hasNodeKeyFile(dataDir))
    throw new KeyFileError(
      isInToken
        ? `${path} and ${nodeKeyPath(dataDir)} both name a key: remove the one that is not this node's`
        : `no key file ${path}; run vws init`,
    );
  const passphrase = await findPassphrase(context, { isNew: false });
  if (passphrase === undefined)
    throw new KeyFileError(
      `no ${isInToken ? 'PIN' : 'passphrase'} for ${path}; give --passphrase-file or SERVICE_PASSPHRASE`,
    );
  if (isInToken) {
    const key = openTokenKey(dataDir, passphrase);
    return { key, secrets: undefined, close: () => key.close() };
  }
  const key = readNodeKeyFile(dataDir, passphrase);
  return {
    key,
    secrets: {
      product: (point) => curveProduct(point, key.linkKey()),
      sharedSecret: (other) => key.sharedSecret(other),
    },
    close() {},
  };
}

/** Answers at the socket until a signal. */
async function serve(context: CommandContext, dataDir: string, opened: OpenedKey): Promise<ExitCode> {
  const { io } = context;
  const { key, secrets, close } = opened;
  const book = await bookOf(context, dataDir, key.publicKeyHex);
  const signing = new Signer({
    key,
    secrets,
    book,
    isUnused: () => isMarkedUnused(systemFiles, dataDir, key.publicKeyHex),
    onFirstVertex: () => clearUnused(systemFiles, dataDir),
    onRefused: (why) => io.err(`refused: ${why}`),
  });
  let failed = (_: TokenError): void => {};
  const ended = new Promise<TokenError | undefined>((resolve) => {
    io.onStopSignal(() => resolve(undefined));
    failed = resolve;
  });
  const answer = async (question: Uint8Array): Promise<Uint8Array> => {
    try {
      return await signing.answer(question);
    } catch (error) {
      // The node is not answered: it asks the next signer, which opens the token anew, the same again.
      if (error instanceof TokenError) failed(error);
      throw error;
    }
  };
  const socket = optionText(context, 'socket') as string;
  const listening = await listenSigner(
    socket,
    answer,
    encodeRefusal(SECOND_NODE),
    isSwitchOn(context, FOR_GROUP),
  );
  io.out(`AgentID: ${key.publicKeyHex}`);
  io.out(`Signer: unix:${socket}`);
  io.out('ready');
  const fault = await ended;
  await listening.close();
  if (fault) {
    io.err(fault.message);
    return EXIT.FAILED;
  }
  close();
  return EXIT.DONE;
}

export const signer: Command = {
  name: 'signer',
  summary: 'hold the key of a node in a process of its own',
  about: `Opens the key of a data directory and answers one node at a unix socket, which
SERVICE_SIGNER=unix:<path> names there; the node then needs neither key file nor passphrase. Only
this process has the key. It records every vertex on disk before it signs it, and refuses a second
one with the same number, whatever the node asks: a restored old copy of the node, or a second node,
is refused and says so. The record is never put back from a copy. Runs until SIGTERM or SIGINT; a
node bears its restart for five seconds. The key may be in a token (vws init --pkcs11); the passphrase
is then its PIN, and a token that fails ends this process with exit code 1.`,
  options: [
    { name: 'socket', value: 'path', help: 'unix socket to listen at', isRequired: true },
    { name: 'record', value: 'path', help: 'record of what was signed; default <data>/signed_vertices.json' },
    { name: BEGIN, help: 'begin a record for a key that was used without one' },
    { name: FOR_GROUP, help: 'the group of this user may connect, too: for a node under another user of it' },
  ],
  settings: 'init',
  examples: ['vws signer --data ./key1 --passphrase-file ./key1.pass --socket /run/vws/n1.sock'],
  async run(context) {
    const { dataDir } = loadKeySettings(context);
    const opened = await openedKey(context, dataDir);
    const hold = await holdKeyDirectory(dataDir);
    try {
      return await serve(context, dataDir, opened);
    } finally {
      await hold.close();
    }
  },
};
