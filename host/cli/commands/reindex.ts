// vws reindex: makes the store of a stopped node anew from its log.
// Keeps: the old store is read only and kept under another name; the new one takes its place when it is whole and proven.

import { existsSync, rmSync } from 'node:fs';
import { rename } from 'node:fs/promises';
import { loadConfig } from '../../config/config.ts';
import { buildFor } from '../../core/simd.ts';
import { openImplementation } from '../../crypto/implementation.ts';
import { useNativeHash } from '../../crypto/native-hash.ts';
import { reindex as makeAnew } from '../../node/reindex.ts';
import { type Store, StoreError } from '../../world/store.ts';
import { engineOf, openStore } from '../../world/system/open-store.ts';
import {
  beforeReindexPath,
  hasStore,
  isHalfReindexed,
  reindexPath,
  storePath,
} from '../../world/system/store-path.ts';
import { systemWorld } from '../../world/system/world.ts';
import type { Command } from '../command.ts';
import { EXIT } from '../exit-code.ts';
import { readNetwork } from '../genesis-source.ts';
import { publicKeyIn } from '../key-in-file.ts';

/** The new store takes the place of the old one. Between the two renames there is none, and none is opened: the next `vws reindex` ends it. */
async function swap(dataDir: string): Promise<void> {
  const made = reindexPath(dataDir);
  if (hasStore(dataDir)) await rename(storePath(dataDir), beforeReindexPath(dataDir));
  await rename(storePath(made), storePath(dataDir));
  rmSync(made, { recursive: true });
}

export const reindex: Command = {
  name: 'reindex',
  summary: "make a stopped node's views anew from its log",
  about: `Executes the whole log of a stopped node once more, into a new store: state, documents, lists and
indexes as the rules make them. For a node whose reads are wrong or whose store has lost rows other than
those of the log. Every checkpoint must come out as it was signed, else nothing is changed. Takes room for
a second store; the old one stays as db-before-reindex until you delete it. Needs the log from genesis, and
the manifest and settings that the node starts with.`,
  options: [],
  settings: 'start',
  examples: ['vws reindex --config /etc/vws/vws.toml', 'SERVICE_TESTNET=true vws reindex --data ./node1'],
  async run(context) {
    const config = loadConfig(context);
    const { dataDir } = config;
    const [before, made] = [beforeReindexPath(dataDir), reindexPath(dataDir)];
    if (!hasStore(dataDir)) {
      if (!isHalfReindexed(dataDir)) throw new StoreError(`there is no store in ${dataDir}`);
      await swap(dataDir);
      context.io.out('Reindexed: the new store of an interrupted run is in place');
      return EXIT.DONE;
    }
    if (existsSync(before)) {
      throw new StoreError(`${before} is there, from an earlier run: delete it, or move it away`);
    }
    useNativeHash();
    // A network of one seat has its genesis of the key; a signer's node has a manifest.
    const { genesis } = readNetwork(config).genesisFor(publicKeyIn(dataDir) ?? '');
    const open = (dir: string, engine: typeof config.store): Promise<Store> =>
      openStore(dir, engine, (text) => context.io.err(text));
    const from = await open(dataDir, config.store);
    try {
      rmSync(made, { recursive: true, force: true });
      const to = await open(made, (await engineOf(storePath(dataDir))) ?? config.store);
      try {
        const [core, consensus] = await Promise.all(
          [buildFor('core'), 'consensus.wasm'].map((name) => systemWorld.program.module(name)),
        );
        const head = await makeAnew({
          ...{ genesis, from, to, clock: systemWorld.clock },
          modules: { core: core!, consensus: consensus! },
          verify: openImplementation(config.verifier, systemWorld),
          onProgress: progressTo(context.io.err),
        });
        context.io.out(`Order: ${head.order}`);
        context.io.out(`Events: ${head.seq}`);
      } finally {
        await to.close();
      }
    } finally {
      await from.close();
    }
    await swap(dataDir);
    context.io.out(`Reindexed: the old store is ${before}`);
    return EXIT.DONE;
  },
};

/** A line every few seconds. */
function progressTo(print: (line: string) => void): (progress: { block: number; to: number }) => void {
  let shownMs = systemWorld.clock.monotonicMs();
  return ({ block, to }) => {
    const nowMs = systemWorld.clock.monotonicMs();
    if (nowMs - shownMs < 3000) return;
    shownMs = nowMs;
    print(`block ${block} of ${to}`);
  };
}
