// Finds the route of a method and raw path. Segments are split first and then percent-decoded, so an id may contain %2F.
// Fixed segments win over templates; there are no aliases for trailing slashes (protocol 1.2).

import { invalid, type ServiceError } from '../errors.ts';
import type { BatchRoute, ExchangeRoute, ReadRoute, Route, WriteRoute } from './route.ts';

/** A route, compiled once: its kind, and the indexes of the path segments that are parameters. */
type Target<Ctx> = { parameters: readonly (readonly [index: number, name: string])[] } & (
  | { kind: 'read'; route: ReadRoute<Ctx> }
  | { kind: 'write'; route: WriteRoute }
  | { kind: 'exchange'; route: ExchangeRoute<Ctx> }
  | { kind: 'batch'; route: BatchRoute }
);

interface Node<Ctx> {
  fixed: Map<string, Node<Ctx>>;
  any: Node<Ctx> | undefined;
  /** Routes that end here, by method. */
  targets: Map<string, Target<Ctx>>;
}

/** `path`: decoded path parameters. `method`: the path exists, but not with this method. */
export type Found<Ctx> =
  | { kind: 'read'; route: ReadRoute<Ctx>; path: Record<string, string> }
  | { kind: 'write'; route: WriteRoute; path: Record<string, string> }
  | { kind: 'exchange'; route: ExchangeRoute<Ctx>; path: Record<string, string> }
  | { kind: 'batch'; route: BatchRoute; path: Record<string, string> }
  | { kind: 'method'; allow: string; template: string }
  | { kind: 'none' }
  /** The path is not percent-encoded UTF-8. */
  | { kind: 'malformed'; error: ServiceError };

const node = <Ctx>(): Node<Ctx> => ({ fixed: new Map(), any: undefined, targets: new Map() });

function targetOf<Ctx>(route: Route<Ctx>): Target<Ctx> {
  const segments = route.path.split('/').slice(1);
  const parameters = segments.flatMap((segment, index) =>
    segment.startsWith('{') ? [[index, segment.slice(1, -1)] as const] : [],
  );
  if (route.method === 'GET') return { kind: 'read', route, parameters };
  if ('exchange' in route) return { kind: 'exchange', route, parameters };
  return 'maxRequests' in route ? { kind: 'batch', route, parameters } : { kind: 'write', route, parameters };
}

/** Undefined for what is not percent-encoded UTF-8. */
function decode(segment: string): string | undefined {
  try {
    return segment.includes('%') ? decodeURIComponent(segment) : segment;
  } catch {
    return undefined;
  }
}

export class Router<Ctx> {
  readonly #root = node<Ctx>();
  /** A request is looked up more than once, one after another. */
  #last: { method: string; path: string; found: Found<Ctx> } | undefined;

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
      at.targets.set(route.method, targetOf(route));
    }
  }

  #walk(at: Node<Ctx>, segments: string[], i: number): Node<Ctx> | undefined {
    if (i === segments.length) return at.targets.size > 0 ? at : undefined;
    const fixed = at.fixed.get(segments[i]!);
    const found = fixed && this.#walk(fixed, segments, i + 1);
    if (found) return found;
    return at.any && segments[i] !== '' ? this.#walk(at.any, segments, i + 1) : undefined;
  }

  find(method: string, path: string): Found<Ctx> {
    if (this.#last?.path !== path || this.#last.method !== method)
      this.#last = { method, path, found: this.#find(method, path) };
    return this.#last.found;
  }

  #find(method: string, path: string): Found<Ctx> {
    const segments = path.split('/').slice(1);
    const end = this.#walk(this.#root, segments, 0);
    if (!end) return { kind: 'none' };
    const target = end.targets.get(method === 'HEAD' ? 'GET' : method);
    if (!target) {
      const allow = [...end.targets.keys()].flatMap((m) => (m === 'GET' ? ['GET', 'HEAD'] : [m]));
      return {
        kind: 'method',
        allow: [...allow, 'OPTIONS'].join(', '),
        template: [...end.targets.values()][0]!.route.path,
      };
    }
    const values: Record<string, string> = {};
    for (const [index, name] of target.parameters) {
      const value = decode(segments[index]!);
      if (value === undefined)
        return { kind: 'malformed', error: invalid('path is not valid percent-encoded UTF-8') };
      values[name] = value;
    }
    switch (target.kind) {
      case 'read':
        return { kind: 'read', route: target.route, path: values };
      case 'write':
        return { kind: 'write', route: target.route, path: values };
      case 'exchange':
        return { kind: 'exchange', route: target.route, path: values };
      case 'batch':
        return { kind: 'batch', route: target.route, path: values };
    }
  }
}
