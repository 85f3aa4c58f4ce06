import { expect, test } from 'vitest';
import { reasonIn } from '../../../src/api/answers/reasonInPage.ts';

const reason = 'The database has dependent clones';

test.each([
  [
    'Tomcat',
    `<!doctype html><html><head><title>HTTP Status 409 – Conflict</title><style>h1 {color:white}</style></head><body><h1>HTTP Status 409 – Conflict</h1><hr class="line"/><p><b>Type</b> Status Report</p><p><b>Message</b> ${reason}</p><p><b>Description</b> The request could not be completed due to a conflict with the current state of the target resource.</p><hr/><h3>Apache Tomcat/10.1</h3></body></html>`,
  ],
  [
    'Jetty',
    `<html><head><title>Error 409 Conflict</title></head><body><h2>HTTP ERROR 409 Conflict</h2><table><tr><th>URI:</th><td>/service/database/delete</td></tr><tr><th>STATUS:</th><td>409</td></tr><tr><th>MESSAGE:</th><td>${reason}</td></tr></table><hr><a href="https://eclipse.org/jetty">Powered by Jetty:// 12</a></body></html>`,
  ],
  [
    'a heading and a sentence',
    `<html><title>409 Conflict</title><body><h1>Conflict</h1><p>${reason}</p></body></html>`,
  ],
  ['a definition', `<html><body><h1>Error</h1><dl><dt>Reason</dt><dd>${reason}</dd></dl></body></html>`],
  ['a heading of its own', `<html><body><h3>Message</h3><p>${reason}</p></body></html>`],
  ['entities', `<html><title>409</title><p>The&nbsp;database&#32;has dependent&#x20;clones</p></html>`],
  [
    'mark-up in the sentence',
    `<html><h1>409 Conflict</h1><p>The <b>database</b> has <code>dependent</code> clones</p></html>`,
  ],
  [
    'scripts and comments',
    `<html><head><script>var message = "no";</script><!-- Message: none --></head><body><p>${reason}</p></body></html>`,
  ],
  [
    'nginx before it',
    `<html><head><title>409 Conflict</title></head><body><center><h1>409 Conflict</h1></center><hr><center>nginx/1.27</center><p>${reason}</p></body></html>`,
  ],
  [
    'a trace',
    `<html><h1>500 Internal Server Error</h1><pre>${reason}\n\tat com.example.Delete.run(Delete.java:17)\n</pre></html>`,
  ],
  ['XML', `<?xml version="1.0"?><error><code>E-17</code><message>${reason}</message></error>`],
  [
    'SOAP',
    `<soap:Envelope><soap:Body><soap:Fault><faultcode>x</faultcode><faultstring>${reason}</faultstring></soap:Fault></soap:Body></soap:Envelope>`,
  ],
])('the reason for a refusal is read out of an error page: %s', (_, page) => {
  expect(reasonIn(page)?.replace(/\.$/, '')).toBe(reason);
});

test.each([
  [
    '<html><head><title>502 Bad Gateway</title></head><body><center><h1>502 Bad Gateway</h1></center><hr><center>nginx</center></body></html>',
    '502 Bad Gateway',
  ],
  ['<html><title>Bad Request</title></html>', 'Bad Request'],
  ['<html><body><h1>Operation failed</h1><p>The disk is full</p></body></html>', 'Operation failed. The disk is full'],
  ['<html><body></body></html>', undefined],
  ['<svg', undefined],
])('an error page that says little, or more than one thing, is told as it reads', (page, expected) => {
  expect(reasonIn(page)).toBe(expected);
});

test('an error page that is large or torn is read without an error', () => {
  for (const page of [
    `<html>${'<p>'.repeat(100_000)}`,
    `<html><!--${'<'.repeat(100_000)}`,
    '<script>'.repeat(50_000),
    `<html>${'Message '.repeat(50_000)}`,
  ])
    expect(() => reasonIn(page)).not.toThrow();
});
