// Sends one HTTP or HTTPS request over its own socket.

import { request as httpRequest, type IncomingMessage, type RequestOptions } from 'node:http';
import { request as httpsRequest } from 'node:https';
import type { Post } from '../post.ts';

export const systemPost: Post = (o, signal) =>
  new Promise((resolve) => {
    let status = 0;
    const onResponse = (response: IncomingMessage): void => {
      status = response.statusCode ?? 0;
      let bytes = 0;
      response.on('data', (chunk: Buffer) => {
        bytes += chunk.length;
        if (bytes > o.maxAnswerBytes) response.destroy();
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
    request.on('close', () => resolve(status));
    request.end(o.body);
  });
