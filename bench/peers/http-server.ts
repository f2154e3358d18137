// Plain HTTP servers for the suite `http`: each answers given paths with a given value, serialised for every request,
// like a handler without any work. Usage: http-server.js fastify|node <JSON of {path: {headers, value}}>.

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

const [kind = '', json = '{}'] = process.argv.slice(2);
const routes = JSON.parse(json) as PlainRoutes;
console.log(`port ${kind === 'fastify' ? await fastifyServer(routes) : await nodeServer(routes)}`);
