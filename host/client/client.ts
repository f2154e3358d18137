// A client of a node: one method for each endpoint, writes signed with the agent's key.
// Keeps: a write is resent only as the same signed request (submission.ts); a refusal by the node is thrown as VwsError
// with the node's code; a read is not older than the agent's own writes. Runs in browsers and in Node. Source: protocol 4.

import type { Proven } from '../proofs/proofs.ts';
import { toHex } from '../wire/bytes.ts';
import { chainIdOf } from '../wire/chain-id.ts';
import { agentKey } from '../wire/ids.ts';
import type { ProofItem, ProofList } from '../wire/proof-kinds.ts';
import type { OpeningKey } from '../wire/sealed-text.ts';
import { voteCommitment } from '../wire/vote-commitment.ts';
import { pause } from '../world/clock.ts';
import { Batcher, overHttp, sendBatch } from './batches.ts';
import type { BodyOf } from './bodies.ts';
import { type Calls, type Query, queryText, type Rebuild, segment } from './calls.ts';
import { CaseCalls } from './case-calls.ts';
import type { CheckedProofs, ProofTrust } from './checked-proofs.ts';
import { type ClientEnvironment, systemEnvironment } from './environment.ts';
import * as lost from './lost-answer.ts';
import { MarketCalls } from './market-calls.ts';
import type * as o from './objects.ts';
import { ProgramCalls } from './program-calls.ts';
import { seatKeyHex } from './seat-key.ts';
import { SeenOrder } from './seen-order.ts';
import { type SignedRequest, signRequest } from './signed-request.ts';
import type { Signer } from './signer.ts';
import type { WritesOver } from './stream-writes.ts';
import { submit } from './submission.ts';
import { TaskCalls } from './task-calls.ts';
import {
  errorOf,
  exchange,
  exchangeBytes,
  type HttpRequest,
  isSuccess,
  type Reply,
  type TransportOptions,
} from './transport.ts';
import { ValidatorCalls } from './validator-calls.ts';
import { badCall, historyCut, VwsError } from './vws-error.ts';

const DEFAULT_TIMEOUT_MS = 15_000;
const DEFAULT_RETRIES = 3;
/** After its expiry by consensus time, plus the skew that admission allows (protocol 5.2), nothing executes a request. */
const SKEW_SECS = 60;

/** Requests that were signed in this process and not sent yet: a refusal of any other one leaves open what became of it. */
const unsent = new WeakSet<SignedRequest>();

/** What became of a signed write. `never`: it changed nothing, and no copy of it can any more. */
export type Fate = { kind: 'executed'; event: o.LedgerEvent } | { kind: 'never' } | { kind: 'open' };

export interface VwsClientOptions {
  /** e.g. `http://localhost:8338` */
  baseUrl: string;
  /** Signs the writes; without it they are sent with `apiKey`, or unsigned. */
  key?: Signer;
  apiKey?: string;
  /** The chain to sign for. Without it the node is asked once, and the testnet is signed for if it names that, nothing else. */
  chainId?: string;
  /** Longest wait for one answer; a node gives up ordering after 10 s. */
  timeoutMs?: number;
  /** How often a signed write is resent, after no answer or to a busy node; a read is repeated to a busy node only. */
  retries?: number;
  /** Shared by the clients of several nodes, so that an agent reads at one what it wrote at another. */
  seenOrder?: SeenOrder;
  /** How signed writes go out, if not in requests of HTTP: `overStream()`. */
  writesOver?: WritesOver;
  environment?: ClientEnvironment;
}

export class VwsClient implements Calls {
  readonly baseUrl: string;
  /** hex64 public key of the signer; paths and fields accept it as an agent id. */
  readonly ownKey: string | undefined;
  readonly tasks = new TaskCalls(this);
  readonly programs = new ProgramCalls(this);
  readonly market = new MarketCalls(this);
  readonly cases = new CaseCalls(this);
  readonly validators = new ValidatorCalls(this);
  private readonly options: VwsClientOptions;
  /** What reads ask for; pass it on to clients of other nodes. */
  readonly seenOrder: SeenOrder;
  private readonly environment: ClientEnvironment;
  private chain: string | undefined;
  private readonly batcher: Batcher;
  private checked: CheckedProofs | undefined;

  constructor(options: VwsClientOptions) {
    this.options = options;
    this.baseUrl = options.baseUrl.replace(/\/+$/, '');
    this.ownKey = options.key?.publicKeyHex;
    this.environment = options.environment ?? systemEnvironment;
    this.chain = options.chainId;
    this.seenOrder = options.seenOrder ?? new SeenOrder();
    const otherwise = overHttp((request) => this.send(request));
    const { baseUrl, clock, timeoutMs } = this.transport;
    const carrier = options.writesOver?.carrier({ baseUrl, clock, timeoutMs, otherwise });
    this.batcher = new Batcher(carrier ?? otherwise);
  }

  // Reads

  status = async (): Promise<o.Status> => {
    const status = await this.get<o.Status>('/v1/status');
    this.chain ??= status.chain_id;
    return status;
  };
  /** `category`: its name is priced in the answer, as a task in it would cost. */
  networkState = (query?: { category?: string | undefined }) =>
    this.get<o.NetworkState>('/v1/network/state', query);
  economics = () => this.get<o.Economics>('/v1/economics');
  /** Every account is in one part, and the parts sum to the supply. */
  supply = () => this.get<o.Supply>('/v1/economics/supply');
  agents = (query?: Query) => this.get<o.AgentRow[]>('/v1/agents', query);
  leaderboard = (query?: Query) => this.get<o.LeaderboardRow[]>('/v1/agents/leaderboard', query);
  agent = async (id: string) => this.get<o.Agent>(`/v1/agents/${segment(id)}`);
  /** A2A agent card of an agent that has an offer. */
  agentCard = async (id: string) => this.get<o.Json>(`/v1/agents/${segment(id)}/agent-card.json`);
  /** ERC-8004 registration file. */
  agentRegistration = async (id: string) => this.get<o.Json>(`/v1/agents/${segment(id)}/registration.json`);
  balance = async (id: string) => this.get<o.Balance>(`/v1/agents/${segment(id)}/balance`);
  address = async (id: string) => this.get<o.Address>(`/v1/agents/${segment(id)}/address`);
  stakeInfo = async (id: string) => this.get<o.StakeInfo>(`/v1/agents/${segment(id)}/stake`);
  reputation = async (id: string) => this.get<o.ReputationSummary>(`/v1/agents/${segment(id)}/reputation`);
  addressOwner = async (address: string) => this.get<o.Address>(`/v1/address/${segment(address)}`);
  pending = (query?: Query) => this.get<o.PendingEvent[]>('/v1/pending', query);
  event = async (id: string) => this.get<o.LedgerEvent>(`/v1/events/${segment(id)}`);
  recentEvents = (query?: Query) => this.get<o.EventRow[]>('/v1/events/recent', query);
  health = () => this.get<o.Health>('/health');
  live = () => this.get<o.Liveness>('/health/live');
  ready = () => this.get<o.Readiness>('/health/ready');
  activity = (query?: Query) => this.get<o.Activity>('/v1/network/activity', query);
  trend = (query?: Query) => this.get<o.Trend>('/v1/network/trend', query);
  rankings = (category: string, query?: Query) =>
    this.get<o.RankingRow[]>('/v1/reputation/rankings', { ...query, category });
  dagTips = () => this.get<o.DagTips>('/v1/dag/tips');
  dagStats = () => this.get<o.DagStats>('/v1/dag/stats');
  vertices = (query?: Query) => this.get<o.Vertex[]>('/v1/dag/vertices', query);
  vertex = async (hash: string) => this.get<o.Vertex>(`/v1/dag/vertices/${segment(hash)}`);
  genesis = () => this.get<o.Genesis>('/v1/genesis');
  checkpoints = (query?: Query) => this.get<o.SignedCheckpoint[]>('/v1/checkpoints', query);
  /** A proof of a document, as the node gives it: `verifyProof` checks it. */
  proof = (kind: ProofItem, id: string) =>
    this.get<o.DocumentProof>(`/v1/proof/${segment(kind)}/${segment(id)}`);
  /** A page of a list of documents, with the proof that none is left out. */
  proofOfList = (kind: ProofList, query?: Query) =>
    this.get<o.DocumentProof>(`/v1/proof/${segment(kind)}`, query);
  /**
   * Proves a document with its parts, or that there is none; of an agent with what the core says of it. True of the
   * checkpoint that the answer names. Errors: LogFault for what is not proven, TypeError for no id of the kind, VwsError.
   */
  verifyProof = async (kind: ProofItem, id: string, trust: ProofTrust = {}): Promise<Proven> =>
    (await (await this.prover()).of(trust)).item(kind, id);
  /** Proves a whole list, of which none is left out. Errors: as `verifyProof`. */
  verifyProofOfList = async (kind: ProofList, trust: ProofTrust = {}): Promise<Proven> =>
    (await (await this.prover()).of(trust)).whole(kind);
  latestCheckpoint = () => this.get<o.Checkpoint>('/v1/checkpoints/latest');
  apiKey = async (keyId: string) => this.get<o.ApiKey>(`/v1/platform/keys/${segment(keyId)}`);

  // Writes. `body` members are those of protocol 4; amounts in micro-units.

  register = (body: BodyOf<'register'> = {}) =>
    this.write('POST', '/v1/agents', body, (event) => lost.rebuildRegistration(this, event));

  faucet = (body: BodyOf<'faucet'> = {}) =>
    this.write('POST', '/v1/faucet', body, (event) => lost.rebuildFaucet(this, event));

  stake = (body: BodyOf<'stake'>) =>
    this.write('POST', '/v1/stake', body, (event) => lost.rebuildStake(this, event));

  unstake = (body: BodyOf<'unstake'>) =>
    this.write('POST', '/v1/unstake', body, (event) => lost.rebuildStake(this, event));

  transfer = (body: BodyOf<'transfer'>) =>
    this.write('POST', '/v1/transfer', body, (event) => lost.rebuildTransfer(this, event));

  generation = (body: BodyOf<'generation'>) =>
    this.write('POST', '/v1/generation', body, lost.rebuildGeneration);

  /**
   * A vote on a dispute: the bodies of its commitment, for `commitVote`, and of the verdict that reveals it, for `verify`.
   * Keep both before you send the first: without the salt the vote is a miss, and a second one is refused.
   */
  newVote = async (
    vote: BodyOf<'verify'>,
  ): Promise<{ commit: BodyOf<'voteCommit'>; reveal: BodyOf<'verify'> }> => {
    if (this.ownKey === undefined) throw badCall('a vote needs a key');
    const { agent_id } = await this.agent(this.ownKey);
    const salt = toHex(this.randomBytes(32));
    const commitment = voteCommitment(vote.event_id, toHex(agentKey(agent_id)), vote, salt);
    const { event_id, task_id } = vote;
    return { commit: { event_id, task_id, commitment }, reveal: { ...vote, salt } };
  };

  /** Commits to a vote on a dispute; it is revealed with `verify` when all are in. */
  commitVote = (body: BodyOf<'voteCommit'>) =>
    this.write('POST', '/v1/verify/commit', body, (event) => lost.rebuildVoteCommit(this, event));

  verify = (body: BodyOf<'verify'>) =>
    this.write('POST', '/v1/verify', body, (event) => lost.rebuildVerify(this, event));

  /** The answer contains the key itself, which is shown only once; if that answer is lost, so is the key. */
  createApiKey = async (body: BodyOf<'keyCreate'>) => {
    const issuing_node = body.issuing_node ?? (await seatKeyHex(this));
    return this.write<o.ApiKeyCreated>(
      'POST',
      '/v1/platform/keys',
      issuing_node ? { ...body, issuing_node } : body,
    );
  };

  revokeApiKey = async (keyId: string) =>
    this.write('DELETE', `/v1/platform/keys/${segment(keyId)}`, {}, lost.rebuildKeyRevocation);

  /**
   * Sends prepared writes in one request, at most 1,000 and 2 MiB; the reply of each, in their order. Nothing is resent:
   * `submit` gets each of them executed, and makes batches by itself where many are under way.
   */
  batch = (requests: readonly SignedRequest[]) => {
    for (const request of requests) unsent.delete(request);
    return sendBatch((request) => this.send(request), requests);
  };

  // What the typed methods are built on

  /** A read that must answer 2xx; its body. */
  async get<T>(path: string, query: Query = {}): Promise<T> {
    const reply = await this.read<T>(path, query);
    return reply.body;
  }

  /** A read with its headers: order, total count of a list. Repeated while the node is busy. */
  async read<T>(path: string, query: Query = {}): Promise<Reply<T>> {
    for (let attempt = 0; ; attempt++) {
      const { newest } = this.seenOrder;
      const headers: Record<string, string> =
        newest === undefined ? {} : { 'X-Service-Min-Order': String(newest) };
      const reply = await this.send({ method: 'GET', path: path + queryText(query), headers });
      if (isSuccess(reply)) {
        this.seenOrder.read(reply.order, this.nowSecs);
        return reply as Reply<T>;
      }
      const error = errorOf(reply);
      if (error.code === 'behind') {
        const lost = this.seenOrder.refused(reply, error.details);
        if (lost) throw historyCut(reply.status, newest!, lost);
      }
      if (reply.status !== 503 || attempt >= this.retries) throw error;
      await pause(this.environment.clock, 1000 * Math.min(reply.retryAfterSecs ?? 1, 5));
    }
  }

  /** Reads no longer wait for what was seen before: for an order that a lying node gave. */
  forgetOrder(): void {
    this.seenOrder.forget();
  }

  /** Signs a write without sending it; keep it to send exactly this transaction later. */
  async prepare(method: string, path: string, body: object): Promise<SignedRequest> {
    const signer = this.options.key;
    if (!signer) throw badCall('signing needs a key');
    const request = await signRequest({
      signer,
      chainId: await this.ownChain(),
      method,
      path,
      body: withoutUndefined(body),
      nowSecs: this.nowSecs,
      nonce: this.environment.randomBytes(16),
    });
    unsent.add(request);
    return request;
  }

  /**
   * Sends a prepared write until there is a result; safe to call again with the same request.
   * `rebuild` makes the answer from the event if the node's own answer was lost.
   */
  async submit<T>(request: SignedRequest, rebuild?: Rebuild<T>): Promise<T> {
    const result = await submit(
      {
        send: (signed) => this.batcher.send(signed),
        findEvent: (txid) => this.findEvent(txid),
        hasLapsed: async (signed) => (await this.fate(signed)).kind === 'never',
        sleep: (ms) => pause(this.environment.clock, ms),
        retries: this.retries,
      },
      request,
      !unsent.delete(request),
    );
    if (result.kind === 'answered') {
      this.seenOrder.wrote(result.reply.order, this.nowSecs);
      return result.reply.body as T;
    }
    let cause: unknown;
    try {
      if (rebuild) return await rebuild(result.event as o.LedgerEvent);
    } catch (error) {
      // The write ran: an error of the reads for its answer must not look like a refusal of the write.
      if (!(error instanceof VwsError)) throw error;
      cause = error;
    }
    throw new VwsError({
      status: 0,
      code: 'bad_answer',
      message: 'the write was executed, but its answer was lost',
      txid: request.txid,
      cause,
    });
  }

  /** What became of a prepared write, as this node knows it. */
  async fate({ txid, expiresAt }: Pick<SignedRequest, 'txid' | 'expiresAt'>): Promise<Fate> {
    // The state is read first: an event that is missing then was not executed up to this time.
    const now = await this.status();
    const event = await this.findEvent(txid);
    if (event) return { kind: 'executed', event };
    const hasLapsed = now.orders_behind === undefined && now.consensus_time > expiresAt + SKEW_SECS;
    return { kind: hasLapsed ? 'never' : 'open' };
  }

  /** The given chain, otherwise the one that the node names. */
  async chainId(): Promise<string> {
    return this.chain ?? (await this.status()).chain_id;
  }

  /**
   * The chain writes are signed for: the given one, otherwise the testnet, if the node names it. What is signed for the mainnet can be
   * carried out there whoever asked for it, so no node's word is enough for that; and what it says is no text until it is known to be
   * one: a list of one name is signed as that name. Error: `bad_call`.
   */
  async ownChain(): Promise<string> {
    const chain = await this.chainId();
    if (this.options.chainId === undefined && chain !== chainIdOf(true)) {
      throw badCall(
        `the node says that its chain is ${JSON.stringify(chain)}, for which nothing is signed on its word: name the chain (chainId; vws: SERVICE_TESTNET=false for mainnet)`,
      );
    }
    return chain;
  }

  async openingKey(): Promise<OpeningKey> {
    const { key } = this.options;
    if (!key?.open) throw badCall('sealed deliveries need the key of the agent, and one that can open');
    return await key.open();
  }

  randomBytes(length: number): Uint8Array {
    return this.environment.randomBytes(length);
  }

  /** Loaded when the first proof is asked for: it is a large part of the client, which who only reads never needs. */
  private async prover(): Promise<CheckedProofs> {
    const { CheckedProofs } = await import('./checked-proofs.ts');
    this.checked ??= new CheckedProofs({
      get: (path, query) => this.get(path, query),
      bytes: (path, maxBytes) => exchangeBytes(this.transport, path, maxBytes),
      sleep: (ms) => pause(this.environment.clock, ms),
    });
    return this.checked;
  }

  private get nowSecs(): number {
    return Math.floor(this.environment.clock.nowMs() / 1000);
  }

  private get retries(): number {
    return this.options.retries ?? DEFAULT_RETRIES;
  }

  /** A write, signed once and sent until there is a result; unsigned without a key. */
  async write<T>(method: string, path: string, body: object, rebuild?: Rebuild<T>): Promise<T> {
    if (this.options.key) return await this.submit(await this.prepare(method, path, body), rebuild);
    const { apiKey } = this.options;
    const reply = await this.send({
      method,
      path,
      body: JSON.stringify(body),
      headers: { 'content-type': 'application/json', ...(apiKey ? { 'X-API-Key': apiKey } : {}) },
    });
    if (!isSuccess(reply)) throw errorOf(reply);
    this.seenOrder.wrote(reply.order, this.nowSecs);
    return reply.body as T;
  }

  private async findEvent(txid: string): Promise<o.LedgerEvent | undefined> {
    try {
      const reply = await this.read<o.LedgerEvent>(`/v1/events/${segment(txid)}`);
      // The write was executed at or below the order of this answer.
      this.seenOrder.wrote(reply.order, this.nowSecs);
      return reply.body;
    } catch (error) {
      if (error instanceof VwsError && error.code === 'event_not_found') return undefined;
      throw error;
    }
  }

  private send(request: HttpRequest): Promise<Reply> {
    return exchange(this.transport, request);
  }

  private get transport(): TransportOptions {
    const timeoutMs = this.options.timeoutMs ?? DEFAULT_TIMEOUT_MS;
    return { baseUrl: this.baseUrl, ...this.environment, timeoutMs };
  }
}

function withoutUndefined(body: object): Record<string, unknown> {
  return Object.fromEntries(Object.entries(body).filter(([, value]) => value !== undefined));
}
