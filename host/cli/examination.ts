// What can be said of a node's data directory by reading its files: for vws doctor.
// Keeps: reads only and opens no engine, so it may run beside the node; each finding says what to do.

import { accessSync, constants, existsSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { hasNodeKeyFile, hasTokenKeyFile, nodeKeyPath, tokenKeyPath } from '../crypto/node-key-file.ts';
import { heldKeyPair, SignerRefused } from '../crypto/signer/held-key.ts';
import { SECOND_NODE } from '../crypto/signer/messages.ts';
import { readTokenKeyFile } from '../crypto/token-key.ts';
import { MIGRATIONS } from '../execution/migrations.ts';
import { SCHEMA } from '../execution/recovery.ts';
import { MIN_FREE_BYTES } from '../node/disk-watch.ts';
import { copyOf } from '../node/node-store.ts';
import { readRecord } from '../ordering/signed-record.ts';
import { readFormat } from '../store/format-note.ts';
import { diskUse } from '../world/system/disk-use.ts';
import { systemFiles } from '../world/system/files.ts';
import { lockHolder } from '../world/system/lock-holder.ts';
import { checkLogs } from '../world/system/log-check.ts';
import { engineOf } from '../world/system/open-store.ts';
import { signerCall } from '../world/system/signer-call.ts';
import { HALF_REINDEXED, hasStore, isHalfReindexed, storePath } from '../world/system/store-path.ts';
import { faultText } from './fault-text.ts';
import { publicKeyIn } from './key-in-file.ts';
import { judgeRuntime } from './runtime-version.ts';

export interface Finding {
  about: string;
  /** `bad`: a node would not start or lose its safety; `care`: it would run. */
  state: 'good' | 'care' | 'bad';
  text: string;
}

/** What a node runs on. */
export interface Subject {
  dataDir: string;
  signedRecord: string | undefined;
  /** Socket of the signer that has the key. */
  signerPath: string | undefined;
  nodeVersion: string;
}

type Result = Omit<Finding, 'about'>;
const good = (text: string): Result => ({ state: 'good', text });
const care = (text: string): Result => ({ state: 'care', text });
const bad = (text: string): Result => ({ state: 'bad', text });
const mebibytes = (bytes: number): string => `${Math.floor(bytes / 2 ** 20)} MiB`;

function directory({ dataDir }: Subject): Result {
  if (!statSync(dataDir).isDirectory()) return bad(`${dataDir} is not a directory`);
  accessSync(dataDir, constants.R_OK | constants.W_OK | constants.X_OK);
  const mode = statSync(dataDir).mode & 0o777;
  if ((mode & 0o077) !== 0) return care(`others may look into ${dataDir}: chmod 700`);
  return good(dataDir);
}

/** Of a node whose key a signer holds: the socket is asked whose key it has. */
function held(dataDir: string, signerPath: string): Result {
  if (hasNodeKeyFile(dataDir)) {
    return bad(
      `the key file ${nodeKeyPath(dataDir)} lies beside SERVICE_SIGNER: only the signer may have the key`,
    );
  }
  try {
    const { publicKeyHex, held: known } = heldKeyPair(signerCall(signerPath));
    const newest = known?.newest;
    const signed = newest ? `it has signed up to epoch ${newest.epoch}` : 'its record names no vertex yet';
    return good(`${publicKeyHex}, held by the signer at unix:${signerPath}; ${signed}`);
  } catch (error) {
    if (!(error instanceof SignerRefused) || !error.message.endsWith(SECOND_NODE)) throw error;
    return good(`held by the signer at unix:${signerPath}, to which a node is connected`);
  }
}

/** Of a signer's directory whose key is in a token: the token is not opened, since a wrong PIN counts. */
function inToken(dataDir: string): Result {
  const { module, token, public_key } = readTokenKeyFile(dataDir);
  if (hasNodeKeyFile(dataDir))
    return bad(
      `${tokenKeyPath(dataDir)} and ${nodeKeyPath(dataDir)} both name a key: remove the one that is not this node's`,
    );
  if (!existsSync(module))
    return bad(`there is no ${module}, the module of token ${token}: install what brings it`);
  return good(`${public_key}, in token ${token} of ${module}; vws signer opens it, a node does not`);
}

function key({ dataDir, signerPath }: Subject): Result {
  if (signerPath !== undefined) return held(dataDir, signerPath);
  if (hasTokenKeyFile(dataDir)) return inToken(dataDir);
  const path = nodeKeyPath(dataDir);
  // To whom the folder is closed, everything in it seems missing.
  if (existsSync(dirname(path))) accessSync(dirname(path), constants.R_OK | constants.X_OK);
  if (!existsSync(path)) {
    return bad(
      `there is no ${path}: put the key of this node back, make one with vws init, or name its signer by SERVICE_SIGNER`,
    );
  }
  accessSync(path, constants.R_OK);
  const publicKey = publicKeyIn(dataDir);
  if (publicKey === undefined) return bad(`${path} is altered: put a copy of the file back`);
  if ((statSync(path).mode & 0o077) !== 0) return bad(`others may read ${path}: chmod 600`);
  return good(publicKey);
}

async function store({ dataDir }: Subject): Promise<Result> {
  if (!hasStore(dataDir)) {
    return care('none yet: the first start makes it, from a checkpoint of peers or from genesis');
  }
  const engine = await engineOf(storePath(dataDir));
  await checkLogs(storePath(dataDir));
  return good(`${engine ?? 'empty'}, its write-ahead logs are whole`);
}

/** By the note beside the store: the engine is not opened. */
function format({ dataDir }: Subject): Result {
  const known = readFormat(systemFiles, dataDir);
  if (known === undefined) return good(`not noted; this program writes format ${SCHEMA}`);
  if (known > SCHEMA) {
    return bad(
      `the store has format ${known}, this program knows up to ${SCHEMA}: start the newer program that wrote it`,
    );
  }
  if (known === SCHEMA) return good(`${known}`);
  const isRead = MIGRATIONS.some(({ from }) => from === known);
  return isRead
    ? care(
        `the store has format ${known}: the next start copies it to ${copyOf(known)}, then migrates it to ${SCHEMA}`,
      )
    : bad(
        `the store has format ${known}, which this program (format ${SCHEMA}) cannot read: start the program that wrote it`,
      );
}

/** A store that a process holds can be read by nobody else; that of a running node is held. */
function use({ dataDir }: Subject): Result {
  if (isHalfReindexed(dataDir)) return bad(HALF_REINDEXED);
  const pid = lockHolder(join(storePath(dataDir), 'LOCK'));
  return good(
    pid === undefined ? 'no process holds the store' : `process ${pid} holds the store: a node that runs`,
  );
}

function disk({ dataDir }: Subject): Result {
  const use = diskUse(dataDir);
  if (!use) return good('the system does not tell, or there is no store yet');
  const text = `${mebibytes(use.freeBytes)} left, the store takes ${mebibytes(use.storeBytes)}`;
  return use.freeBytes < MIN_FREE_BYTES
    ? bad(`${text}: make room outside of the data directory`)
    : good(text);
}

function record({ dataDir, signedRecord: path }: Subject): Result {
  if (path === undefined) {
    return care('none is kept (SERVICE_SIGNED_RECORD): after a restore the node has to ask its peers');
  }
  if (!existsSync(path)) return care(`${path} is not there yet: the node makes it when it signs`);
  const { owner, newest } = readRecord(systemFiles, path);
  const own = publicKeyIn(dataDir);
  if (own !== undefined && owner.key !== own) {
    return bad(`${path} belongs to the key ${owner.key}: name the file of this node`);
  }
  return good(`epoch ${newest.epoch}, vertex ${newest.id}`);
}

/** In the order of a start. */
const CHECKS: Readonly<Record<string, (subject: Subject) => Result | Promise<Result>>> = {
  'Node.js': ({ nodeVersion }) => judgeRuntime(nodeVersion),
  'Data directory': directory,
  Key: key,
  Store: store,
  'Store format': format,
  'Store in use': use,
  Disk: disk,
  'Last-signed record': record,
};

/** Every finding, as far as the directory can be looked into. A check that cannot be made is one, too. */
export async function examine(subject: Subject): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (const [about, check] of Object.entries(CHECKS)) {
    try {
      findings.push({ about, ...(await check(subject)) });
    } catch (error) {
      findings.push({ about, ...bad(faultText(error)) });
    }
    if (about === 'Data directory' && findings.at(-1)?.state === 'bad') break;
  }
  return findings;
}
