// Sends one kind of flood at its rate from many loopback addresses in several networks, whatever is answered.
// Run as a process of its own by flood.ts: <kind> <port> <seconds>. Prints how many were sent and how they were answered.

import { Agent, request } from 'node:http';
import { connect } from 'node:net';
import { systemClock } from '../../host/world/system/clock.ts';
import { sleep } from '../load/node-process.ts';
import { FLOODS, type FloodName, type FloodRequest } from './flood-kinds.ts';

const [kind = '', port = '', seconds = ''] = process.argv.slice(2);
const { perSecond, make } = FLOODS[kind as FloodName];
/** Four networks of eight addresses. */
const ADDRESSES = Array.from({ length: 32 }, (_, i) => `127.0.${i >> 3}.${2 + (i & 7)}`);
const MAX_OPEN_PER_ADDRESS = 64;
const STEP_MS = 20;

const agents = ADDRESSES.map(
  (localAddress) => new Agent({ keepAlive: true, localAddress, maxSockets: MAX_OPEN_PER_ADDRESS }),
);
const answers: Record<string, number> = {};
const count = (name: string): void => {
  answers[name] = (answers[name] ?? 0) + 1;
};
let open = 0;

function sendWhole(i: number, { method, path, headers, body }: FloodRequest): void {
  open += 1;
  const agent = agents[i % agents.length]!;
  const length = body === undefined ? {} : { 'Content-Length': Buffer.byteLength(body) };
  const sent = request({ host: '127.0.0.1', port, method, path, agent, headers: { ...headers, ...length } });
  const done = (name: string): void => {
    open -= 1;
    count(name);
  };
  sent.on('response', (answer) => {
    answer.resume();
    answer.on('close', () => done(String(answer.statusCode)));
  });
  sent.on('error', () => done('lost'));
  sent.end(body);
}

/** A connection that is held open; what it gets is read and dropped. */
function hold(i: number, { method, path, headers, holdMs, isUnfinished }: FloodRequest): void {
  const socket = connect({
    host: '127.0.0.1',
    port: Number(port),
    localAddress: ADDRESSES[i % ADDRESSES.length]!,
  });
  const lines = [`${method} ${path} HTTP/1.1`, 'Host: 127.0.0.1'];
  for (const [name, value] of Object.entries(headers)) lines.push(`${name}: ${value}`);
  socket.on('error', () => count('lost'));
  socket.once('data', (bytes) => count(bytes.toString('latin1', 9, 12)));
  socket.resume();
  socket.write(`${lines.join('\r\n')}\r\n${isUnfinished ? '' : '\r\n'}`);
  systemClock.setTimer(() => socket.destroy(), holdMs!);
}

const flood: FloodRequest = await make();
const startMs = systemClock.monotonicMs();
const endMs = startMs + Number(seconds) * 1000;
let sent = 0;
for (let nowMs = startMs; nowMs < endMs; nowMs = systemClock.monotonicMs()) {
  const due = ((nowMs - startMs) / 1000) * perSecond;
  for (; sent < due; sent++) {
    if (flood.holdMs !== undefined) hold(sent, flood);
    else if (open < MAX_OPEN_PER_ADDRESS * ADDRESSES.length) sendWhole(sent, flood);
    else count('not sent');
  }
  await sleep(STEP_MS);
}
console.log(JSON.stringify({ sent, answers }));
process.exit(0);
