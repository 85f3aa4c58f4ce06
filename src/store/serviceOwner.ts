import type { Owner } from './vault.ts';

/** The owner of the service account’s sign-in, in place of a person: Slack’s ids of people begin with U or W. */
const accountPerson = 'service';

/** Gives the owner of the service account’s sign-in for a workspace. */
export function accountOwner(team: string): Owner {
  return { team, person: accountPerson };
}

export function isAccount({ person }: Owner): boolean {
  return person === accountPerson;
}
