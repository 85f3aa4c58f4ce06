/** The page's own memory: the person of this tab (in the URL), the messages read (in the tab), the theme (in the browser). */

import { type Permalink, readPermalink } from './permalink.ts';

/** The person of this tab, from `?as=U…`. */
export function rememberedPerson(): string | undefined {
  return new URLSearchParams(location.search).get('as') ?? undefined;
}

/** Puts the person into the URL, so that a reload, or a copy of the address in another tab, is the same person. */
export function rememberPerson(id: string): void {
  const url = new URL(location.href);
  url.searchParams.set('as', id);
  history.replaceState(null, '', url);
}

/** The message to which the page's own address leads, once: afterwards the address is that of the page. */
export function takePermalink(): Permalink | undefined {
  const permalink = readPermalink(location.href, location.origin);
  if (permalink) history.replaceState(null, '', `/?as=${encodeURIComponent(rememberedPerson() ?? '')}`);
  return permalink;
}

function readRecord(key: string): Record<string, string> {
  const stored: unknown = JSON.parse(sessionStorage.getItem(key) ?? '{}');
  if (typeof stored !== 'object' || stored === null) return {};
  return Object.fromEntries(Object.entries(stored).map(([name, value]) => [name, String(value)]));
}

/** Channel id → ts of the last message that this person looked at in this tab. */
export function rememberedReading(person: string): Record<string, string> {
  return readRecord(`read ${person}`);
}

/** Keeps {@link rememberedReading} over a switch of the person. */
export function rememberReading(person: string, lastRead: Readonly<Record<string, string>>): void {
  sessionStorage.setItem(`read ${person}`, JSON.stringify(lastRead));
}

/** When this tab was opened, as a ts: what is older is no news to anybody here. */
export function openedAt(): string {
  const known = sessionStorage.getItem('opened');
  if (known) return known;
  const now = (Date.now() / 1000).toFixed(6);
  sessionStorage.setItem('opened', now);
  return now;
}

/** Light, dark, or what the system says. */
export type Theme = 'system' | 'light' | 'dark';

/** The theme chosen in this browser. */
export function rememberedTheme(): Theme {
  const stored = localStorage.getItem('theme');
  return stored === 'light' || stored === 'dark' ? stored : 'system';
}

/** Shows a theme and keeps the choice. */
export function rememberTheme(theme: Theme): void {
  localStorage.setItem('theme', theme);
  document.documentElement.dataset.theme = theme;
}
