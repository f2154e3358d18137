import { describe, expect, it } from 'vitest';
import { ServiceError } from '../../../host/errors.ts';
import { readWebhookUrl, type WebhookPolicy } from '../../../host/wire/webhook-url.ts';

const GUARDED: WebhookPolicy = { tlsOnly: false, allowPrivate: false };
const refusal = (url: string, policy = GUARDED): string | undefined => {
  try {
    readWebhookUrl(url, policy);
    return undefined;
  } catch (error) {
    expect(error).toBeInstanceOf(ServiceError);
    expect((error as ServiceError).code).toBe('invalid_webhook_url');
    return (error as ServiceError).message;
  }
};

describe('accepted', () => {
  it.each([
    ['http://hook.example', { isTls: false, host: 'hook.example', port: 80, target: '/' }],
    [
      'https://hook.example:8443/x?y=1#z',
      { isTls: true, host: 'hook.example', port: 8443, target: '/x?y=1' },
    ],
    ['HTTPS://Hook_1.Example./', { isTls: true, host: 'Hook_1.Example.', port: 443, target: '/' }],
    ['http://hook.example?q', { host: 'hook.example', target: '/?q' }],
    ['http://hook.example:1024/', { port: 1024 }],
    ['http://hook.example:65535/', { port: 65_535 }],
    ['http://localhost/', { host: 'localhost', literal: undefined }],
    ['http://8.8.8.8/', { host: '8.8.8.8', literal: Uint8Array.of(8, 8, 8, 8) }],
    ['http://[2606:4700::1]:8080/', { host: '2606:4700::1', port: 8080 }],
  ])('%s', (url, want) => expect(readWebhookUrl(url, GUARDED)).toMatchObject(want));
});

describe('refused', () => {
  it.each([
    'nonsense',
    '',
    'ftp://hook.example/',
    'file:///etc/passwd',
    'http:hook.example',
    'http:/hook.example',
    'http://',
    'http:///x',
    'javascript:alert(1)',
    ' http://hook.example/',
    'http://hook.example/ x',
    'http://hook.example/\n',
    'http://hook.exa\tmple/',
    'http://hook.example\\@10.0.0.1/',
    'http://hook.example/\\x',
    'http://häkchen.example/',
    'http://%68ook.example/',
    'http://hook..example/',
    'http://.example/',
    'http://-a.example/',
    'http://a-/',
    `http://${'a'.repeat(255)}/`,
    'http://hook.example:/',
    'http://hook.example:x/',
    'http://hook.example:080000/',
    'http://[::1',
    'http://::1/',
    'http://[::1]x/',
    'http://[fe80::1%25eth0]/',
    'http://[1::2::3]/',
    'http://[]/',
    'http://1.2.3.4.5/',
    'http://256.1.1.1/',
    'http://a.1/',
    'http://0x100000000/',
  ])('form: %j', (url) => expect(refusal(url)).toBeDefined());

  it.each([
    'http://me@hook.example/',
    'http://me:pw@hook.example/',
    'http://@hook.example/',
    'http://8.8.8.8@10.0.0.1/',
  ])('user info: %s', (url) => expect(refusal(url)).toMatch(/user info/));

  it.each([0, 1, 22, 79, 81, 442, 444, 1023, 65_536, 99_999])('port %d', (port) =>
    expect(refusal(`http://hook.example:${port}/`)).toMatch(/port/),
  );

  it.each([
    'http://127.0.0.1:8080/',
    'http://10.1.2.3/',
    'http://192.168.1.1/',
    'http://172.16.0.1/',
    'http://169.254.169.254/latest',
    'http://100.64.0.1/',
    'http://0.0.0.0/',
    'http://0/',
    'http://224.0.0.1/',
    'http://127.1/',
    'http://0x7f.1/',
    'http://2130706433/',
    'http://017700000001/',
    'http://0x7f000001/',
    'http://127.0.0.1./',
    'http://0177.0.0.01/',
    'http://[::1]/',
    'http://[::]/',
    'http://[fe80::1]/',
    'http://[fc00::1]/',
    'http://[::ffff:127.0.0.1]/',
    'http://[::FFFF:7F00:1]/',
    'http://[0:0:0:0:0:ffff:10.0.0.1]/',
    'http://[64:ff9b::10.0.0.1]/',
    'http://[2002:a00:1::]/',
    'http://[::127.0.0.1]/',
    'http://[ff02::1]/',
  ])('literal: %s', (url) => {
    expect(refusal(url)).toMatch(/not public/);
    expect(refusal(url, { tlsOnly: false, allowPrivate: true })).toBeUndefined();
  });
});

it('demands https where the chain does', () => {
  const mainnet = { tlsOnly: true, allowPrivate: false };
  expect(refusal('http://hook.example/', mainnet)).toMatch(/https/);
  expect(refusal('https://hook.example/', mainnet)).toBeUndefined();
  expect(refusal('https://10.0.0.1/', mainnet)).toMatch(/not public/);
});
