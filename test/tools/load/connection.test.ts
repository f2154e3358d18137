import { createServer, type RequestListener, type Server } from 'node:http';
import { type AddressInfo, createServer as createTcp } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { Connection, ConnectionLost, requestBytes } from '../../../tools/load/connection.ts';
import { drive, expectStatus } from '../../../tools/load/drive.ts';

let server: Server | ReturnType<typeof createTcp> | undefined;

function listen(made: typeof server): Promise<number> {
  server = made;
  return new Promise((resolve) => {
    made!.listen(0, '127.0.0.1', () => resolve((made!.address() as AddressInfo).port));
  });
}
const http = (handler: RequestListener): Promise<number> => listen(createServer(handler));
/** Answers every chunk it receives with these pieces, each sent separately. */
const pieces = (parts: string[]): Promise<number> =>
  listen(
    createTcp((socket) => {
      socket.setNoDelay(true);
      socket.on('error', () => {});
      socket.on('data', async () => {
        for (const part of parts) {
          socket.write(part);
          await new Promise((next) => setImmediate(next));
        }
        if (parts.at(-1) === '') socket.end();
      });
    }),
  );

afterEach(() => {
  if (server && 'closeAllConnections' in server) server.closeAllConnections();
  server?.close();
  server = undefined;
});

const GET = requestBytes({ method: 'GET', path: '/x' });

describe('a connection', () => {
  it('sends requests one after the other and reads their answers', async () => {
    const port = await http((request, response) => {
      let body = '';
      request.on('data', (part) => {
        body += part;
      });
      request.on('end', () => {
        const text = `${request.method} ${request.url} ${request.headers['x-a']} ${body}`;
        response.writeHead(201, { 'Content-Length': Buffer.byteLength(text) }).end(text);
      });
    });
    const connection = await Connection.open(port);
    for (const body of ['ä', '{}']) {
      const parts = { method: 'POST', path: '/p', headers: { 'X-A': '1' }, body };
      const answer = await connection.send(requestBytes(parts));
      expect([answer.status, answer.body.toString()]).toEqual([201, `POST /p 1 ${body}`]);
    }
    connection.close();
  });

  it('assembles an answer from pieces', async () => {
    const port = await pieces(['HTTP/1.1 200 OK\r\nCont', 'ent-Length: 5\r\n\r', '\nhe', 'llo']);
    const connection = await Connection.open(port);
    for (let i = 0; i < 3; i++) expect((await connection.send(GET)).body.toString()).toBe('hello');
    connection.close();
  });

  it.each([
    ['closed in the middle of an answer', ['HTTP/1.1 200 OK\r\nContent-Length: 50\r\n\r\nhe', '']],
    ['an answer without a length', ['HTTP/1.1 200 OK\r\n\r\nhello']],
  ])('%s is a lost connection', async (_, parts) => {
    const port = await pieces(parts);
    const connection = await Connection.open(port);
    await expect(connection.send(GET)).rejects.toBeInstanceOf(ConnectionLost);
    await expect(connection.send(GET)).rejects.toBeInstanceOf(ConnectionLost);
  });

  it('cannot be opened if nobody listens', async () => {
    const port = await http(() => {});
    await new Promise((done) => server!.close(done));
    server = undefined;
    await expect(Connection.open(port)).rejects.toBeInstanceOf(ConnectionLost);
    await expect(Connection.openMany(port, 3)).rejects.toBeInstanceOf(ConnectionLost);
  });

  it('takes one request at a time', async () => {
    const port = await http(() => {});
    const connection = await Connection.open(port);
    void connection.send(GET).catch(() => {});
    await expect(connection.send(GET)).rejects.toThrow('is pending');
    connection.close();
  });
});

describe('a drive', () => {
  it('sends exactly the requests asked for and counts every answer', async () => {
    const paths: string[] = [];
    const port = await http((request, response) => {
      paths.push(request.url!);
      response.writeHead(request.url === '/3' ? 404 : 200, { 'Content-Length': 2 }).end('ok');
    });
    const request = (i: number): Buffer => requestBytes({ method: 'GET', path: `/${i}` });
    const driven = await drive({ port, connections: 4, count: 20, request, mostMs: 10_000 });
    expect(paths.sort()).toEqual(Array.from({ length: 20 }, (_, i) => `/${i}`).sort());
    expect(driven.answered).toBe(20);
    expect(driven.latencies.count).toBe(20);
    expect(driven.bodyBytes).toBe(40);
    expect(Object.fromEntries(driven.byStatus)).toEqual({ 200: 19, 404: 1 });
    expect(() => expectStatus(driven, 200)).toThrow('1 x 404');
  });

  it('starts nothing after its time', async () => {
    const port = await http((_, response) => {
      setTimeout(() => response.writeHead(200, { 'Content-Length': 0 }).end(), 20);
    });
    const driven = await drive({ port, connections: 1, count: 1000, request: () => GET, mostMs: 100 });
    expect(driven.answered).toBeLessThan(10);
  });
});
