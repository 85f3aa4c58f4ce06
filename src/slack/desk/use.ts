import { createHash } from 'node:crypto';
import type { Owner } from '../../store/vault.ts';
import type { Content } from '../blocks/blocks.ts';

/** Something that a person asks for by a command, a button or a form that is not the form of a job. */
export type Use = Owner &
  Readonly<{
    /** The same where Slack delivers the same thing again. */
    id: string;
    channel: string;
    /** `command`, or the button or form that was used. */
    action: string;
    /** The command's words, or what the button or form says. */
    value: string;
    /** What Slack lets a form be opened by for three seconds; empty where they are over. */
    trigger: string;
    /** Whether it was clicked inside an open form. */
    isInForm?: boolean;
  }>;

/** A use as Slack has just delivered it. */
export function newUse(use: Omit<Use, 'id'>): Use {
  const { team, person, trigger, action, value } = use;
  const id = createHash('sha256')
    .update(JSON.stringify([team, person, trigger, action, value]))
    .digest('base64url');
  return { ...use, id };
}

/** Tells Slack that something was taken, or with a sentence why it was not. */
export type Ack = (refusal?: string) => Promise<unknown>;

/** Tells the person what came of it. */
export type Tell = (content: Content) => Promise<unknown>;
