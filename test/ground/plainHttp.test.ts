import { expect, test } from 'vitest';
import { isInClear } from '../../src/ground/plainHttp.ts';

test.each([
  'http://service.example.com:8443',
  'http://10.0.0.7',
  'HTTP://service',
  'http://localhost.example.com',
  'http://127.example.com',
  'http://1270.0.0.1.nip.io',
  'http://[2001:db8::1]',
  'http://128.0.0.1',
])('a request to %s counts as readable on its way', url => {
  expect(isInClear(url)).toBe(true);
});

test.each([
  'https://service.example.com:8443',
  'http://localhost:3002',
  'http://LOCALHOST.',
  'http://db.localhost',
  'http://127.0.0.1:3002',
  'http://127.8.9.1',
  'http://127.1',
  'http://[::1]:3002',
  'http://[::ffff:127.0.0.1]',
])('a request to %s does not count as readable on its way', url => {
  expect(isInClear(url)).toBe(false);
});
