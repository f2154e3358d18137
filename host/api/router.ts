// Finds the route of a method and raw path. Segments are split first and percent-decoded then, so an id may hold %2F.
// Fixed words win over templates; there are no aliases for trailing slashes (protocol 1.2).

import { invalid } from '../errors.ts';
import type { Route } from './route.ts';

interface Node<Ctx> {
  fixed: Map<string, Node<Ctx>>;
  any: Node<Ctx> | undefined;
  /** Routes that end here, by method. */
  routes: Map<string, Route<Ctx>>;
}

export type Found<Ctx> =
  | { kind: 'route'; route: Route<Ctx>; path: Record<string, string> }
  | { kind: 'method'; allow: string; template: string }
  | { kind: 'none' };

const node = <Ctx>(): Node<Ctx> => ({ fixed: new Map(), any: undefined, routes: new Map() });

function decode(segment: string): string {
  try {
    return segment.includes('%') ? decodeURIComponent(segment) : segment;
  } catch {
    throw invalid('path is not valid percent-encoded UTF-8');
  }
}

export class Router<Ctx> {
  readonly #root = node<Ctx>();

  constructor(routes: readonly Route<Ctx>[]) {
    for (const route of routes) {
      let at = this.#root;
      for (const segment of route.path.split('/').slice(1)) {
        if (segment.startsWith('{')) {
          at.any ??= node<Ctx>();
          at = at.any;
        } else {
          const next = at.fixed.get(segment) ?? node<Ctx>();
          at.fixed.set(segment, next);
          at = next;
        }
      }
      at.routes.set(route.method, route);
    }
  }

  #walk(at: Node<Ctx>, segments: string[], i: number): Node<Ctx> | undefined {
    if (i === segments.length) return at.routes.size > 0 ? at : undefined;
    const fixed = at.fixed.get(segments[i]!);
    const found = fixed && this.#walk(fixed, segments, i + 1);
    if (found) return found;
    return at.any && segments[i] !== '' ? this.#walk(at.any, segments, i + 1) : undefined;
  }

  /** Errors: 400 invalid_request for a template segment that is not valid percent-encoding. */
  find(method: string, path: string): Found<Ctx> {
    const segments = path.split('/').slice(1);
    const end = this.#walk(this.#root, segments, 0);
    if (!end) return { kind: 'none' };
    const route = end.routes.get(method === 'HEAD' ? 'GET' : method);
    if (!route) {
      const allow = [...end.routes.keys()].flatMap((m) => (m === 'GET' ? ['GET', 'HEAD'] : [m]));
      return {
        kind: 'method',
        allow: [...allow, 'OPTIONS'].join(', '),
        template: [...end.routes.values()][0]!.path,
      };
    }
    const values: Record<string, string> = {};
    for (const [i, segment] of route.path.split('/').slice(1).entries()) {
      if (segment.startsWith('{')) values[segment.slice(1, -1)] = decode(segments[i]!);
    }
    return { kind: 'route', route, path: values };
  }
}
