// Which Host and Origin may use /mcp. Against web pages that reach a node through a name of their own (DNS rebinding): such
// a request names the page's host in both headers.
// Keeps: Host is one of this node's (api/own-host.ts); an Origin, if there is one, is of that host, or one that the operator
// listed.

import { checkOrigin, checkOwnHost, type OwnAddress } from '../api/own-host.ts';
import type { HttpRequest } from '../world/http.ts';

export interface OwnNames extends OwnAddress {
  /** SERVICE_CORS_ORIGINS. */
  origins: readonly string[];
}

/** Errors: 403 `origin_not_allowed`. */
export function checkSameOrigin(request: Pick<HttpRequest, 'header'>, own: OwnNames): void {
  checkOwnHost(request.header('host')?.toLowerCase() ?? '', own);
  checkOrigin(request, own.origins, 'use this path');
}
