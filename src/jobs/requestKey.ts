import type { Owner } from '../store/vault.ts';

/** Makes the key of a request, so that it is one job however often it is delivered. */
export function requestKeyOf({ team, person }: Owner, request: string): string {
  return JSON.stringify([team, person, request]);
}
