// Answers other than JSON objects: metrics, the API description, pages.

import type { ReadContext } from '../context.ts';
import type { Reply } from '../route.ts';

const HTML = 'text/html; charset=utf-8';

export const metrics = (c: Pick<ReadContext, 'renderMetrics'>): Reply => ({
  body: c.renderMetrics(),
  contentType: 'text/plain; version=0.0.4; charset=utf-8',
});
export const openapi = (c: ReadContext): Reply => ({
  body: c.pages().openapi,
  contentType: 'application/json; charset=utf-8',
  compress: true,
});
export const docs = (c: ReadContext): Reply => ({
  body: c.pages().docs,
  headers: c.pages().docsHeaders,
  contentType: HTML,
  compress: true,
});
/** Used only if the page was not built; otherwise StaticFiles answers. */
export const home = (): Reply => ({
  status: 200,
  body: 'The explorer page has not been built. Run `npm run build`, then restart the node.\nThe API is described at /docs.\n',
  contentType: 'text/plain; charset=utf-8',
});
