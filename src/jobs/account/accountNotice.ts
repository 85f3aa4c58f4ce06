import { z } from 'zod';

/** What the message about a refused sign-in of the service account is made from. The words are stored. */
export const AccountNotice = z.object({
  username: z.string(),
  /** The reason, in one sentence; the service’s own words where it gave some. */
  why: z.string(),
});
export type AccountNotice = z.infer<typeof AccountNotice>;

/** The kind of such a message in the outbox. */
export const accountNoticeKind = 'account';
