import type { Traffic } from '../protocol.ts';

/** Whether every one of some words stands somewhere in an exchange: its name, direction, status, request or response. */
export function matchesWords(traffic: Traffic, words: string): boolean {
  const wanted = words.toLowerCase().split(/\s+/).filter(Boolean);
  if (wanted.length === 0) return true;
  const { direction, what, status, request, response } = traffic;
  const written = JSON.stringify([direction, what, status, request, response]).toLowerCase();
  return wanted.every(word => written.includes(word));
}
