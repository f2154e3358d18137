// Drives a server with many keep-alive connections, each sending its next request once the last is answered.
// Keeps: bounded in requests and in time; every answer is counted by status, every latency recorded; the server runs in
// another process, so that the two share no event loop.

import { Connection } from './connection.ts';
import { Latencies } from './latencies.ts';

interface Drive {
  port: number;
  connections: number;
  /** Total number of requests. */
  count: number;
  /** The bytes of request i, 0 to count - 1. */
  request(i: number): Uint8Array;
  /** No request starts after this many milliseconds. */
  mostMs: number;
}

export interface Driven {
  answered: number;
  byStatus: Map<number, number>;
  /** The first body of each status. */
  firstBodies: Map<number, string>;
  bodyBytes: number;
  elapsedMs: number;
  latencies: Latencies;
}

export const perSecond = (d: Driven): number => (d.answered / d.elapsedMs) * 1000;

/** The same for several servers at once: connection c goes to server c modulo their number. */
interface DriveMany extends Omit<Drive, 'port'> {
  ports: readonly number[];
}

/** Errors: ConnectionLost when the server ends a connection. */
export const drive = ({ port, ...plan }: Drive): Promise<Driven> => driveAll({ ...plan, ports: [port] });

async function openAll({ ports, connections }: DriveMany): Promise<Connection[]> {
  const opened: Connection[] = [];
  try {
    for (let c = 0; c < connections; c++) opened.push(await Connection.open(ports[c % ports.length]!));
    return opened;
  } catch (error) {
    for (const connection of opened) connection.close();
    throw error;
  }
}

/** Errors: ConnectionLost when a server ends a connection. */
export async function driveAll(plan: DriveMany): Promise<Driven> {
  const connections = await openAll(plan);
  const result: Driven = {
    answered: 0,
    byStatus: new Map(),
    firstBodies: new Map(),
    bodyBytes: 0,
    elapsedMs: 0,
    latencies: new Latencies(),
  };
  let next = 0;
  const startedMs = performance.now();
  const run = async (connection: Connection): Promise<void> => {
    while (next < plan.count) {
      const sentMs = performance.now();
      if (sentMs - startedMs > plan.mostMs) return;
      const { status, body } = await connection.send(plan.request(next++));
      result.latencies.record(performance.now() - sentMs);
      if (!result.firstBodies.has(status)) result.firstBodies.set(status, body.toString());
      result.byStatus.set(status, (result.byStatus.get(status) ?? 0) + 1);
      result.bodyBytes += body.length;
      result.answered += 1;
    }
  };
  try {
    await Promise.all(connections.map(run));
    result.elapsedMs = performance.now() - startedMs;
    return result;
  } finally {
    for (const connection of connections) connection.close();
  }
}

/** Throws unless every answer had this status. */
export function expectStatus(d: Driven, status: number): void {
  const others = [...d.byStatus].filter(([s]) => s !== status);
  if (others.length > 0) {
    const seen = others.map(([s, n]) => `${n} x ${s} (${d.firstBodies.get(s)?.slice(0, 300)})`).join(', ');
    throw new Error(`expected only status ${status}, got also ${seen}`);
  }
}
