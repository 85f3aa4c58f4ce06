import { createHash } from 'node:crypto';

const style = `
:root{color-scheme:light dark;--ink:#1d2330;--soft:#5b6475;--paper:#f4f5f8;--card:#fff;--line:#d5d9e2;--edge:#8b93a3;--go:#0f7a5c;--on-go:#fff;--bad:#c62828;--bad-paper:#fdeeee}
@media(prefers-color-scheme:dark){:root{--ink:#e8ebf2;--soft:#a2abbd;--paper:#14171e;--card:#1e232d;--line:#39414f;--edge:#76808f;--go:#35b08b;--on-go:#08130f;--bad:#ff8a80;--bad-paper:#3a2226}}
*{box-sizing:border-box}
body{margin:0;min-height:100vh;display:grid;place-items:center;padding:1rem;background:var(--paper);color:var(--ink);font:16px/1.5 system-ui,sans-serif}
main{width:100%;max-width:27rem;padding:1.5rem 2rem;background:var(--card);border:1px solid var(--line);border-radius:14px}
@media(max-width:30rem){body{padding:.5rem}main{padding:1.25rem}}
h1{margin:0 0 .75rem;font-size:1.4rem;line-height:1.25}p{margin:.75rem 0}p:last-child{margin-bottom:0}
dl{display:grid;grid-template-columns:max-content minmax(0,1fr);gap:.35rem 1rem;margin:1rem 0;padding:.8rem 1rem;border:1px solid var(--line);border-radius:10px;background:var(--paper)}
dt{color:var(--soft)}dd{margin:0;font-weight:600;overflow-wrap:anywhere}dd span{font-weight:400;color:var(--soft)}
label{display:block;margin:.75rem 0;font-weight:600}
input{display:block;width:100%;margin-top:.3rem;padding:.6rem .7rem;font:inherit;font-weight:400;color:inherit;background:transparent;border:1px solid var(--edge);border-radius:8px}
button{width:100%;margin-top:.25rem;padding:.75rem;font:inherit;font-weight:600;color:var(--on-go);background:var(--go);border:0;border-radius:8px;cursor:pointer;overflow-wrap:anywhere}
button:hover{filter:brightness(1.08)}
input:focus-visible,button:focus-visible{outline:3px solid var(--go);outline-offset:2px}
.fault{padding:.6rem .8rem;border-left:4px solid var(--bad);border-radius:0 8px 8px 0;background:var(--bad-paper);overflow-wrap:anywhere}
.small{color:var(--soft);font-size:.875rem}b{overflow-wrap:anywhere}
`;

/** The hash by which the one style sheet is allowed: HTML that is slipped into the page cannot style it. */
const styleHash = createHash('sha256').update(style).digest('base64');

/** The headers of every page. `isSecure` if browsers reach the page by https: they must keep to it then. */
export function pageHeaders(isSecure: boolean): Readonly<Record<string, string>> {
  return {
    'content-type': 'text/html; charset=utf-8',
    'cache-control': 'no-store',
    'content-security-policy': `default-src 'none'; style-src 'sha256-${styleHash}'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'`,
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
    'permissions-policy':
      'camera=(), microphone=(), geolocation=(), payment=(), usb=(), display-capture=(), clipboard-read=()',
    // The page's own form must say where it comes from. The secret in the address must not leave this site.
    'referrer-policy': 'same-origin',
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
    'x-robots-tag': 'noindex',
    ...(isSecure ? { 'strict-transport-security': 'max-age=31536000' } : {}),
  };
}

/** A whole page around some HTML. Plain HTML without scripts, cookies or anything from elsewhere. */
export function page(title: string, body: string): string {
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>${html(title)} · Dolly</title>
<style>${style}</style></head><body><main><h1>${html(title)}</h1>
${body}
</main></body></html>`;
}

/** Escapes text of people or of the service for HTML. */
export function html(text: string): string {
  return text.replace(/[&<>"']/g, character => `&#${character.charCodeAt(0)};`);
}
