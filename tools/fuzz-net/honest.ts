// The honest part of the network under attack: two nodes that hold a quorum, and an agent that writes through each.
// Keeps: only processes started here are ended; everything lives in a temporary folder.

import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type KeyPair, keyPairFromSeed } from '../../host/crypto/key-pair.ts';
import { createNodeKeyFile } from '../../host/crypto/node-key-file.ts';
import { buildGenesis, type Genesis } from '../../host/wire/genesis.ts';
import type { Manifest } from '../../host/wire/manifest.ts';
import { systemClock } from '../../host/world/system/clock.ts';
import { Connection } from '../load/connection.ts';
import { NodeProcess, PASSPHRASE, sleep } from '../load/node-process.ts';
import type { SeededRandom } from '../load/seeded-random.ts';
import { newSigner, signedWrite } from '../load/signed-writes.ts';
import { freePorts } from '../localnet/free-ports.ts';

const TOKEN = 1_000_000;
const HOST = '127.0.0.1';
const HONEST = 2;
/** Two honest seats of 100,000 tokens each hold a quorum against all attackers together. */
const HONEST_STAKE = 100_000 * TOKEN;
const LIAR_STAKE = 1000 * TOKEN;
const PACE_MS = 100;

/** An agent of one node: writes continuously and records refusals. */
class Writer {
  readonly latencies: number[] = [];
  readonly faults: string[] = [];
  readonly #signer = newSigner();
  #isStopped = false;

  constructor(
    private readonly port: number,
    private readonly chainId: string,
  ) {}

  async join(): Promise<void> {
    const connection = await Connection.open(this.port);
    await this.#write(connection, '/v1/agents', { initial_stake: TOKEN });
    connection.close();
  }

  /** Never throws: a node that is gone is a fault. */
  async run(): Promise<void> {
    try {
      const connection = await Connection.open(this.port);
      while (!this.#isStopped) {
        await this.#write(connection, '/v1/stake', { amount: 1 });
        await sleep(PACE_MS);
      }
      connection.close();
    } catch (error) {
      this.faults.push((error as Error).message);
    }
  }

  stop(): void {
    this.#isStopped = true;
  }

  async #write(connection: Connection, path: string, body: Record<string, unknown>): Promise<void> {
    const { bytes } = await signedWrite(this.#signer, this.chainId, path, body);
    const startedMs = systemClock.monotonicMs();
    const { status, body: answer } = await connection.send(bytes);
    this.latencies.push(systemClock.monotonicMs() - startedMs);
    if (status !== 200 && status !== 201) this.faults.push(`${path}: ${status} ${answer}`);
  }
}

export class HonestNetwork {
  readonly writers: Writer[] = [];

  private constructor(
    private readonly dir: string,
    readonly genesis: Genesis,
    readonly nodes: readonly NodeProcess[],
    readonly peerPorts: readonly number[],
    readonly keys: readonly KeyPair[],
  ) {}

  /** Starts both nodes of a network in which the attackers have seats too, after the honest ones. */
  static async start(attackers: readonly KeyPair[], random: SeededRandom): Promise<HonestNetwork> {
    const dir = await mkdtemp(join(tmpdir(), 'vws-fuzz-'));
    const seeds = Array.from({ length: HONEST }, () => random.bytes(32));
    const keys = seeds.map((seed) => keyPairFromSeed(seed));
    const manifest: Manifest = {
      entries: [...keys, ...attackers].map(({ publicKeyHex }, i) => ({
        validator_id: `v${i + 1}`,
        operator_agent_id: publicKeyHex,
        consensus_public_key: publicKeyHex,
        key_epoch: 1,
        bonded_stake: i < HONEST ? HONEST_STAKE : LIAR_STAKE,
        initial_status: 'active' as const,
      })),
    };
    const path = join(dir, 'manifest.json');
    await writeFile(path, JSON.stringify(manifest));
    const ports = await freePorts(HONEST);
    const nodes = seeds.map((seed, i) => {
      const dataDir = join(dir, `node${i}`);
      createNodeKeyFile(dataDir, PASSPHRASE, {}, seed);
      return NodeProcess.launch({
        dataDir,
        env: {
          SERVICE_VALIDATOR_MANIFEST: path,
          SERVICE_CONSENSUS_MIN_PARTICIPANTS: String(HONEST),
          SERVICE_OBSERVERS: '*',
          SERVICE_LISTEN: `${HOST}:${ports[i]}`,
          SERVICE_PEER: `${HOST}:${ports[1 - i]}`,
          SERVICE_LOG_LEVEL: 'error',
        },
      });
    });
    const overrides = { min_participants: String(HONEST) };
    const genesis = buildGenesis({ testnet: true, manifest, overrides });
    const network = new HonestNetwork(dir, genesis, nodes, ports, keys);
    try {
      await Promise.all(nodes.map((node) => node.ready()));
      for (const { port } of nodes) {
        const writer = new Writer(port, genesis.chainId);
        await writer.join();
        network.writers.push(writer);
      }
    } catch (error) {
      await network.close();
      throw error;
    }
    return network;
  }

  async close(): Promise<void> {
    await Promise.all(this.nodes.map((node) => node.kill()));
    await rm(this.dir, { recursive: true, force: true });
  }
}
