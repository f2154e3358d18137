// The files of a network on this machine: a key and a data directory for each node, one manifest, all addresses.
// Keeps: what was written once is reused, so that a network in a kept folder resumes with the same keys and ports;
// everything listens on loopback.

import { existsSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { generateSeed } from '../../host/crypto/key-pair.ts';
import { createNodeKeyFile } from '../../host/crypto/node-key-file.ts';
import { type NodeStart, PASSPHRASE } from '../load/node-process.ts';
import { freePorts } from './free-ports.ts';

const HOST = '127.0.0.1';
/** 100,000 tokens for each seat: all have equal weight. */
const STAKE_MICRO = 100_000_000_000;

/** One node of the network: its data directory and its ports. */
export interface Member {
  name: string;
  isObserver: boolean;
  publicKey: string;
  peerPort: number;
  apiPort: number;
}

export interface Layout {
  dir: string;
  members: readonly Member[];
}

export interface LayoutOptions {
  seats: number;
  observers: number;
  /** Network parameters of the manifest. */
  params?: Readonly<Record<string, number>>;
}

const layoutPath = (dir: string): string => join(dir, 'localnet.json');
const manifestPath = (dir: string): string => join(dir, 'manifest.json');

async function makeMembers(dir: string, { seats, observers }: LayoutOptions): Promise<Member[]> {
  const count = seats + observers;
  const ports = await freePorts(2 * count);
  return Array.from({ length: count }, (_, i) => {
    const isObserver = i >= seats;
    const name = isObserver ? `o${i - seats + 1}` : `v${i + 1}`;
    const key = createNodeKeyFile(join(dir, name), PASSPHRASE, {}, generateSeed());
    const [peerPort, apiPort] = [ports[2 * i]!, ports[2 * i + 1]!];
    return { name, isObserver, publicKey: key.publicKeyHex, peerPort, apiPort };
  });
}

const manifestOf = (members: readonly Member[], params: LayoutOptions['params']) => ({
  entries: members
    .filter((m) => !m.isObserver)
    .map(({ name, publicKey }) => ({
      validator_id: name,
      operator_agent_id: publicKey,
      consensus_public_key: publicKey,
      key_epoch: 1,
      bonded_stake: STAKE_MICRO,
      initial_status: 'active',
    })),
  ...(params ? { params } : {}),
});

/**
 * The network of this folder: the existing one, or a new one. Errors: the existing one has another number of nodes.
 */
export async function openLayout(dir: string, options: LayoutOptions): Promise<Layout> {
  if (existsSync(layoutPath(dir))) {
    const members = JSON.parse(await readFile(layoutPath(dir), 'utf8')) as Member[];
    const observers = members.filter((m) => m.isObserver).length;
    if (observers !== options.observers || members.length - observers !== options.seats) {
      const has = `${members.length - observers} validators and ${observers} observers`;
      throw new Error(
        `${dir} contains a network of ${has}: start it with these numbers, or use another folder`,
      );
    }
    return { dir, members };
  }
  await mkdir(dir, { recursive: true, mode: 0o700 });
  const members = await makeMembers(dir, options);
  await writeFile(manifestPath(dir), JSON.stringify(manifestOf(members, options.params), null, 2));
  // Written last: a folder without this file contains no complete network.
  await writeFile(layoutPath(dir), JSON.stringify(members, null, 2));
  return { dir, members };
}

/** Where a member dials another one: its port, or that of a wire that leads there. */
export type PeerPort = (from: Member, to: Member) => number;

/** Start options of a member: it dials all seats, and accepts every observer. */
export function startOf(
  { dir, members }: Layout,
  member: Member,
  peerPort: PeerPort = (_, to) => to.peerPort,
): NodeStart {
  const others = members.filter((m) => m !== member && !m.isObserver);
  return {
    dataDir: join(dir, member.name),
    flags: member.isObserver ? ['--observer'] : [],
    env: {
      SERVICE_VALIDATOR_MANIFEST: manifestPath(dir),
      SERVICE_LISTEN: `${HOST}:${member.peerPort}`,
      SERVICE_API: `${HOST}:${member.apiPort}`,
      ...(others.length > 0
        ? { SERVICE_PEER: others.map((m) => `${HOST}:${peerPort(member, m)}`).join(',') }
        : {}),
      ...(members.some((m) => m.isObserver) ? { SERVICE_OBSERVERS: '*' } : {}),
    },
  };
}
