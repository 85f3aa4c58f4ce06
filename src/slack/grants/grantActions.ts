import { z } from 'zod';
import { asJson, asNothing, defineAction } from '../blocks/action.ts';

/** A grant in the revision that the message shows, so that a click on an old message changes nothing. */
const Seen = asJson(z.object({ g: z.string(), n: z.number() }));
export type SeenGrant = Readonly<{ g: string; n: number }>;

/** The buttons of people’s leave for workflows. */
export const grantActions = {
  allow: defineAction('grant.allow', Seen),
  refuse: defineAction('grant.refuse', Seen),
  revoke: defineAction('grant.revoke', Seen),
  signIn: defineAction('grant.signin', asNothing),
  /** Lists all of a person’s workflows. */
  all: defineAction('grant.all', asNothing),
} as const;
