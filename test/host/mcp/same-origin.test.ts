// Which Host and Origin may use /mcp.

import { describe, expect, it } from 'vitest';
import type { ServiceError } from '../../../host/errors.ts';
import { checkSameOrigin } from '../../../host/mcp/same-origin.ts';

const OWN = {
  names: ['node.example.org'],
  origins: ['https://app.example.org'],
  publicUrl: 'https://public.example.org:8443/vws',
};

function passes(headers: Record<string, string>): boolean {
  try {
    checkSameOrigin({ header: (name) => headers[name] }, OWN);
    return true;
  } catch (error) {
    expect((error as ServiceError).code).toBe('origin_not_allowed');
    return false;
  }
}

describe('a Host', () => {
  it.each([
    'localhost',
    'localhost:8338',
    'LOCALHOST:1',
    '127.0.0.1:8338',
    '10.1.2.3',
    '[::1]:8338',
    '[2001:db8::1]',
  ])('%s is this node', (host) => expect(passes({ host })).toBe(true));
  it.each(['node.example.org', 'Node.Example.org:443', 'public.example.org'])('%s was listed', (host) =>
    expect(passes({ host })).toBe(true),
  );
  it.each([
    ...['', 'evil.example', 'localhost.evil.example', 'xnode.example.org', 'node.example.org.evil.example'],
    ...[
      '127.0.0.1.evil.example',
      'evil.example@localhost',
      'localhost:1:2',
      '::1',
      '[localhost]',
      '127.1',
      ' localhost',
    ],
  ])('%j is not', (host) => expect(passes({ host })).toBe(false));
  it('must be there', () => expect(passes({})).toBe(false));
});

describe('an Origin', () => {
  const from = (origin: string, host = 'localhost:8338') => passes({ host, origin });

  it('of the host itself, or listed, may come', () => {
    expect(from('http://localhost:8338')).toBe(true);
    expect(from('https://node.example.org', 'node.example.org')).toBe(true);
    expect(from('https://app.example.org')).toBe(true);
  });

  it('of another site, name, port or none may not, and a listed one not to a foreign host', () => {
    for (const origin of [
      'http://evil.example',
      'http://127.0.0.1:8338',
      'http://localhost:1',
      'null',
      '',
      'x',
    ]) {
      expect(from(origin), origin).toBe(false);
    }
    expect(from('http://evil.example', 'evil.example')).toBe(false);
    expect(from('https://app.example.org', 'evil.example')).toBe(false);
  });
});
