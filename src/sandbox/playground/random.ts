import { randomBytes } from 'node:crypto';

/** A short name like those that Slack gives to blocks without an id. */
export const shortId = () => randomBytes(4).toString('base64url').slice(0, 5);

/** A Slack id: a letter for the kind, then capitals and digits. */
export const slackId = (kind: string) => kind + randomBytes(5).toString('hex').toUpperCase();

/** Something that cannot be guessed. */
export const secret = () => randomBytes(18).toString('base64url');
