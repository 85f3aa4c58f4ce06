import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { type Context, Hono } from 'hono';

type Bundle = { script: string; style: string };

const source = (name: string) => fileURLToPath(new URL(`page/${name}`, import.meta.url));

/** Looked for when it is asked for: everything but the page does without it. */
const emojiFont = () => createRequire(import.meta.url).resolve('twemoji-colr-font/twemoji.woff2');

/** Bundles the page in memory: no build step, nothing written, and Vite loaded only when someone looks. */
async function bundle(): Promise<Bundle> {
  const { build } = await import('vite');
  const result = await build({
    root: source(''),
    configFile: false,
    envFile: false,
    logLevel: 'error',
    publicDir: false,
    oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
    build: { write: false, target: 'es2022', cssCodeSplit: false, rolldownOptions: { input: source('main.tsx') } },
  });
  const outputs = [result].flat().flatMap(part => ('output' in part ? part.output : []));
  const script = outputs.find(output => output.type === 'chunk' && output.isEntry);
  const style = outputs.find(output => output.type === 'asset' && output.fileName.endsWith('.css'));
  return {
    script: script?.type === 'chunk' ? script.code : '',
    style: style?.type === 'asset' ? String(style.source) : '',
  };
}

/** Nothing from elsewhere but images: the page shows what a bot (or a database's name) says. */
const policy =
  "default-src 'self'; img-src 'self' data: https:; style-src 'self' 'unsafe-inline'; frame-ancestors 'none'";

const headers = (type: string) => ({
  'Content-Type': type.startsWith('text/') ? `${type}; charset=utf-8` : type,
  'Cache-Control': 'no-store',
  'Content-Security-Policy': policy,
  'X-Content-Type-Options': 'nosniff',
});

/** Serves the page from memory; it is bundled when it is first asked for. */
export function pageApp(): Hono {
  const app = new Hono();
  let bundled: Promise<Bundle> | undefined;
  const ready = () => {
    bundled ??= bundle().catch(error => {
      bundled = undefined;
      throw error;
    });
    return bundled;
  };
  const index = async (c: Context) => c.body(await readFile(source('index.html'), 'utf8'), 200, headers('text/html'));
  app.get('/', index);
  // Where permalinks lead.
  app.get('/archives/:channel/:message', index);
  app.get('/assets/main.js', async c => c.body((await ready()).script, 200, headers('text/javascript')));
  app.get('/assets/main.css', async c => c.body((await ready()).style, 200, headers('text/css')));
  app.get('/assets/emoji.woff2', async c =>
    c.body(new Uint8Array(await readFile(emojiFont())), 200, headers('font/woff2')),
  );
  return app;
}
