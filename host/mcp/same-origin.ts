// Which Host and Origin may use /mcp. Against web pages that reach a node through a name of their own (DNS rebinding): such
// a request names the page's host in both headers.
// Keeps: Host is one of this node's (api/own-host.ts); an Origin, if there is one, is of that host, or one that the operator
// listed.

import { checkOwnHost, type OwnAddress, refused } from '../api/own-host.ts';
import type { HttpRequest } from '../world/http.ts';

export interface OwnNames extends OwnAddress {
  /** SERVICE_CORS_ORIGINS. */
  origins: readonly string[];
}

/** Errors: 403 `origin_not_allowed`. */
export function checkSameOrigin(request: Pick<HttpRequest, 'header'>, own: OwnNames): void {
  const host = request.header('host')?.toLowerCase() ?? '';
  checkOwnHost(host, own);
  const origin = request.header('origin');
  if (origin === undefined || own.origins.includes(origin)) return;
  const url = URL.canParse(origin) ? new URL(origin) : undefined;
  if (url?.host !== host) throw refused(`pages of "${origin}" may not use this path`);
}
