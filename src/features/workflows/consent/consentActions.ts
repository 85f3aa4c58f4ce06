import { z } from 'zod';
import { asJson, asNothing, defineAction } from '../../../slack/blocks/action.ts';

/** A consent in the revision that the message shows, so that a click on an old message changes nothing. */
const Seen = asJson(z.object({ g: z.string(), n: z.number() }));
export type SeenConsent = Readonly<{ g: string; n: number }>;

/** The buttons of people’s consent to workflows. */
export const consentActions = {
  allow: defineAction('consent.allow', Seen),
  refuse: defineAction('consent.refuse', Seen),
  revoke: defineAction('consent.revoke', Seen),
  signIn: defineAction('consent.signin', asNothing),
  /** Lists all of a person’s workflows. */
  all: defineAction('consent.all', asNothing),
} as const;
