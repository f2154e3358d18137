// Many readers of a node's event stream in one process. Usage: stream-readers.js <node port> <readers> [filter].
// Prints `port N` once all streams are open; GET / on that port returns what they have read. Each reader has its own
// address behind a trusted proxy, since the node accepts 20 per address.
// Keeps: frames are only counted, so that reading costs little beside what is measured; a seq that does not increase by
// one (without a filter) is counted as a fault.

import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';

const [portText = '', countText = '', filter = ''] = process.argv.slice(2);
const HEAD_END = Buffer.from('\r\n\r\n');
const OPENING_AT_ONCE = 50;

/** What all readers have received. */
export interface Reading {
  readers: number;
  /** Messages of the reader with the fewest, and with the most. */
  fewest: number;
  most: number;
  faults: number;
  closed: number;
}

class Reader {
  messages = 0;
  faults = 0;
  isClosed = false;
  private seq = 0;
  private rest: Buffer = Buffer.alloc(0);
  private isOpen = false;

  /** Resolves when the handshake is accepted. */
  open(index: number): Promise<void> {
    return new Promise((resolve, reject) => {
      const socket = connect(Number(portText), '127.0.0.1', () => {
        const address = `10.${index >> 16}.${(index >> 8) & 255}.${index & 255}`;
        const query = filter === '' ? '' : `?filter=${filter}`;
        socket.write(
          `GET /v1/ws${query} HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n` +
            `Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\nX-Forwarded-For: ${address}\r\n\r\n`,
        );
      });
      socket.on('error', reject);
      socket.on('close', () => {
        this.isClosed = true;
      });
      socket.on('data', (chunk) => {
        this.rest = this.rest.length === 0 ? chunk : Buffer.concat([this.rest, chunk]);
        if (!this.isOpen) {
          const end = this.rest.indexOf(HEAD_END);
          if (end < 0) return;
          if (!this.rest.subarray(0, 12).equals(Buffer.from('HTTP/1.1 101'))) {
            reject(new Error(this.rest.toString('latin1').slice(0, 300)));
            return;
          }
          this.isOpen = true;
          this.rest = this.rest.subarray(end + 4);
          resolve();
        }
        this.frames(() => socket.write(Buffer.from([0x8a, 0x80, 0, 0, 0, 0])));
      });
    });
  }

  /** Consumes complete frames of the input. */
  private frames(pong: () => void): void {
    let at = 0;
    for (;;) {
      if (this.rest.length < at + 10) break;
      let length = this.rest[at + 1]!;
      let head = 2;
      if (length === 126) {
        length = this.rest.readUInt16BE(at + 2);
        head = 4;
      }
      if (this.rest.length < at + head + length) break;
      const opcode = this.rest[at]! & 15;
      if (opcode === 1) this.message(at + head);
      else if (opcode === 9) pong();
      at += head + length;
    }
    this.rest = this.rest.subarray(at);
  }

  /** The text begins with `{"seq":` and a number. */
  private message(at: number): void {
    let seq = 0;
    for (let i = at + 7; this.rest[i]! >= 48 && this.rest[i]! <= 57; i++) seq = seq * 10 + this.rest[i]! - 48;
    if (this.seq > 0 && filter === '' && seq !== this.seq + 1) this.faults++;
    this.seq = seq;
    this.messages++;
  }
}

const readers = Array.from({ length: Number(countText) }, () => new Reader());
for (let i = 0; i < readers.length; i += OPENING_AT_ONCE) {
  await Promise.all(readers.slice(i, i + OPENING_AT_ONCE).map((reader, k) => reader.open(i + k + 1)));
}

const server = createServer((_request, response) => {
  const counts = readers.map((reader) => reader.messages);
  const reading: Reading = {
    readers: readers.length,
    fewest: Math.min(...counts),
    most: Math.max(...counts),
    faults: readers.reduce((sum, reader) => sum + reader.faults, 0),
    closed: readers.filter((reader) => reader.isClosed).length,
  };
  const text = JSON.stringify(reading);
  response.writeHead(200, { 'Content-Length': Buffer.byteLength(text) });
  response.end(text);
});
server.listen(0, '127.0.0.1', () => console.log(`port ${(server.address() as AddressInfo).port}`));
