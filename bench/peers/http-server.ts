// Plain HTTP servers for the suite `http`: each answers given paths with a given value, serialised for every request,
// like a handler without any work. Usage: http-server.js fastify|node|uws <JSON of {path: {headers, value}}>.

import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import fastify from 'fastify';

export type PlainRoutes = Record<string, { headers: Record<string, string>; value: unknown }>;

const HOST = '127.0.0.1';

function nodeServer(routes: PlainRoutes): Promise<number> {
  const server = createServer((request, response) => {
    const route = routes[request.url ?? ''];
    if (!route) {
      response.writeHead(404).end();
      return;
    }
    const body = JSON.stringify(route.value);
    response.writeHead(200, { ...route.headers, 'Content-Length': Buffer.byteLength(body) }).end(body);
  });
  return new Promise((resolve) => {
    server.listen(0, HOST, () => resolve((server.address() as AddressInfo).port));
  });
}

async function fastifyServer(routes: PlainRoutes): Promise<number> {
  const app = fastify();
  for (const [path, { headers, value }] of Object.entries(routes)) {
    app.get(path, (_, reply) => {
      void reply.headers(headers).send(value);
    });
  }
  await app.listen({ host: HOST, port: 0 });
  return (app.server.address() as AddressInfo).port;
}

/** uWebSockets.js with nothing around it. */
async function uwsServer(routes: PlainRoutes): Promise<number> {
  const { App, us_socket_local_port } = await import('uWebSockets.js');
  const app = App();
  for (const [path, { headers, value }] of Object.entries(routes)) {
    const fields = Object.entries(headers);
    app.get(path, (res) => {
      res.cork(() => {
        for (const [name, text] of fields) res.writeHeader(name, text);
        res.end(JSON.stringify(value));
      });
    });
  }
  return new Promise((resolve, reject) => {
    app.listen(HOST, 0, (socket) => {
      if (socket) resolve(us_socket_local_port(socket));
      else reject(new Error('cannot listen'));
    });
  });
}

const SERVERS: Record<string, (routes: PlainRoutes) => Promise<number>> = {
  fastify: fastifyServer,
  node: nodeServer,
  uws: uwsServer,
};

const [kind = '', json = '{}'] = process.argv.slice(2);
const routes = JSON.parse(json) as PlainRoutes;
const serve = SERVERS[kind];
if (!serve) throw new Error(`unknown server ${kind}`);
console.log(`port ${await serve(routes)}`);
