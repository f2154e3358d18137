// Sends one HTTP or HTTPS request over its own socket.

import { request as httpRequest, type IncomingMessage, type RequestOptions } from 'node:http';
import { request as httpsRequest } from 'node:https';
import type { Post, PostAnswer } from '../post.ts';

export const systemPost: Post = (o, signal) =>
  new Promise((resolve) => {
    let status = 0;
    let end: PostAnswer['end'] = 'broken';
    let bytes = 0;
    const chunks: Buffer[] = [];
    const onResponse = (response: IncomingMessage): void => {
      status = response.statusCode ?? 0;
      response.on('data', (chunk: Buffer) => {
        bytes += chunk.length;
        if (bytes <= o.maxAnswerBytes) chunks.push(chunk);
        else {
          end = 'too_long';
          response.destroy();
        }
      });
      response.on('end', () => {
        if (response.complete && end !== 'too_long') end = 'whole';
      });
      response.on('error', () => {});
    };
    const options: RequestOptions = {
      method: 'POST',
      host: o.address,
      port: o.port,
      path: o.target,
      agent: false,
      signal,
      headers: o.headers,
    };
    const request = o.isTls
      ? httpsRequest(
          o.servername === undefined ? options : { ...options, servername: o.servername },
          onResponse,
        )
      : httpRequest(options, onResponse);
    request.on('error', () => {});
    request.on('close', () => resolve({ status, body: Buffer.concat(chunks), end }));
    request.end(o.body);
  });
