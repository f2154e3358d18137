// A server that answers everything at once and does nothing: what a flood costs its own machine, without a node.
// Run as a process of its own by flood.ts; prints its port.

import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

const server = createServer((req, res) => {
  req.on('error', () => {});
  req.on('data', () => {});
  req.on('end', () => res.end('{}'));
});
server.on('upgrade', (_, socket) => socket.end('HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n'));
server.on('clientError', (_, socket) => socket.destroy());
server.listen(0, '127.0.0.1', () => console.log((server.address() as AddressInfo).port));
