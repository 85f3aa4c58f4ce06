import { counted } from '../../../ground/wording.ts';
import { allApprovers, type Policy } from '../../../jobs/approval/policy/rules.ts';
import { mentionDeciders, mentionOf } from '../../blocks/mentionPeople.ts';
import { code } from '../../blocks/mrkdwn.ts';
import { platformError } from '../../connection/slackErrors.ts';
import type { Desk } from '../../desk/desk.ts';

/** A line of the doctor's report: a finding, and whether it is good; `unseen` if Dolly could not check it. */
export type Check = Readonly<{ good: boolean | 'unseen'; text: string }>;

/** A finding that is good, one that is not, and one that Dolly could not make. */
export const fine = (text: string): Check => ({ good: true, text });
export const amiss = (text: string): Check => ({ good: false, text });
export const unseen = (text: string): Check => ({ good: 'unseen', text });

/** The sign before a finding. */
export function signOf(good: Check['good']): string {
  return good === 'unseen' ? ':grey_question:' : good ? ':white_check_mark:' : ':warning:';
}

/** Reports the policy: its rules, the approvers, who may run without approval, and how long the trail is kept. */
export function policyChecks(policy: Policy, auditDays: number): readonly Check[] {
  const { rules, approvals, emergency, leases } = policy;
  const approvers = allApprovers(policy);
  const many = rules.length === 0 ? 'no rules of its own' : counted(rules.length, 'rule');
  const usual = `Deletions wait for ${approvals === 1 ? 'another person' : `${approvals} other people`}, unless a rule says otherwise.`;
  return [
    fine(`Policy: ${many}. ${usual}`),
    policy.approvers.length > 0
      ? fine(`Approvers: ${mentionDeciders(approvers)}. They may read the audit trail, too.`)
      : amiss(
          `Approvers: nobody is listed, so ${mentionDeciders([])} may approve${approvers.length === 0 ? ', and read the audit trail' : ' whatever no rule leaves to others'}. Name them in ${code('APPROVERS')}.`,
        ),
    fine(
      `Leases: ${leases.length === 0 ? 'no rules, so a clone ends only if somebody sets a time, and I do nothing to it without asking' : leasesInWords(leases)}.`,
    ),
    fine(
      `Emergencies: ${emergency.length === 0 ? 'nobody may run anything without approval' : `${mentionDeciders(emergency)} may run their own requests without approval`}.`,
    ),
    fine(`Audit trail: kept for ${counted(auditDays, 'day')}.`),
  ];
}

/** Looks whether the channel for approvals takes messages. */
type ChannelChecker = Desk<'approvalChannel' | 'log' | 'slack'>;

/** Checks whether Dolly can post in the channel for approvals, without posting there. */
export async function approvalChannelCheck({ slack, log, ...desk }: ChannelChecker, team: string): Promise<Check> {
  const approvalChannel = desk.approvalChannel(team);
  if (approvalChannel === undefined)
    return fine('Approval channel: none; I ask for approval where the command was given.');
  const name = mentionOf(approvalChannel);
  const bad = (why: string): Check => amiss(`Approval channel: ${why}`);
  try {
    const { channel } = await slack.of(team).conversations.info({ channel: approvalChannel });
    if (channel?.is_archived) return bad(`${name} is archived. Name another one in ${code('APPROVAL_CHANNEL')}.`);
    if (channel?.is_member) return fine(`Approval channel: ${name}, and I am in it.`);
    return channel?.is_private
      ? bad(`I am not a member of ${name}, so I cannot write there. Invite me.`)
      : unseen(`Approval channel: ${name}. I am not a member, but it is public, so I should be able to write there.`);
  } catch (error) {
    const why = platformError(error);
    if (why === 'channel_not_found')
      return bad(
        `I see no channel ${code(approvalChannel)}. If it is private, invite me; otherwise name another one in ${code('APPROVAL_CHANNEL')}.`,
      );
    log.info({ error }, 'Slack did not tell of the channel for approvals');
    return unseen(`Approval channel: ${name}. Slack does not say whether I can write there.`);
  }
}

/** The lease rules in a few words: how many there are, and what they do at the end. */
function leasesInWords(leases: Policy['leases']): string {
  const many = counted(leases.length, 'rule');
  const count = (end: string) => leases.filter(rule => (rule.end ?? 'ask') === end).length;
  const acts = (['stop', 'delete'] as const).filter(end => count(end) > 0).map(end => `${count(end)} to ${end}`);
  return acts.length === 0 ? `${many}, which ask at the end` : `${many}: at the end ${acts.join(', ')}, the others ask`;
}
