import type { Actor } from '../store/tables/audit/audit.ts';
import type { Owner } from '../store/vault.ts';
import type { Parts } from './parts.ts';

/** Dolly itself, where nobody asked. */
export const dolly: Actor = { actor: 'dolly', login: null, channel: null };

/** A person as the trail names them: with the user of the service that they are signed in as, if they are. */
export async function actorOf(
  { credentials }: Parts<'credentials'>,
  { team, person }: Owner,
  channel: string | null,
): Promise<Actor> {
  const credential = await credentials.find({ team, person });
  return { actor: person, login: credential?.username ?? null, channel };
}
