import type { Noun } from '../../../api/identifiers.ts';
import type { RecordView } from '../../../api/reading/recordView.ts';
import { Failure, failureBut } from '../../../ground/failure.ts';
import { servesWorkspace } from '../../../jobs/approval/people/hasSay.ts';
import { allApprovers } from '../../../jobs/approval/policy/rules.ts';
import { untold } from '../../../jobs/approval/policy/verdict.ts';
import { draftMapping, type MappedKind, mappedKinds } from '../../../jobs/mapping/draftMapping.ts';
import type { Owner } from '../../../store/vault.ts';
import { asNothing, defineAction } from '../../blocks/action.ts';
import { actionsRow, context, section } from '../../blocks/blocks.ts';
import { codePages } from '../../blocks/codePages.ts';
import { message, said } from '../../blocks/message.ts';
import { code } from '../../blocks/mrkdwn.ts';
import type { Desk, Doorkeeper } from '../../desk/desk.ts';
import { reactTo } from '../../desk/reaction.ts';

/* A first RECORDS_FILE in `/db doctor`, out of the records that the sign-in of whoever asks for it sees. */

const draft = defineAction('records.draft', asNothing);

/** Max records of a list that the draft rests on, and max records of each kind that are read alone: they may show more than a list. */
const most = { listed: 300, alone: 3 } as const;

/** The draft in a message: max pages, and max characters of each. */
const pages = { most: 3, room: 2_800 } as const;

const nounsOf = {
  database: ['live', 'clone'],
  environment: ['environment'],
  user: ['user'],
  project: ['project'],
} as const satisfies Record<MappedKind, readonly Noun[]>;

/** Offers the draft to whoever may say what holds for the workspace. */
export async function draftBlocks(desk: Doorkeeper, owner: Owner) {
  if ((await servesWorkspace(desk, owner)) !== true) return [];
  const text = `*Do I show a wrong name, state or time?* A records file, named in ${code('RECORDS_FILE')}, tells me how to read records. I can draft one from the records that you see, in a message for you alone. Drafting it changes nothing.`;
  return [section(text), ...actionsRow([draft.button('Draft a records file', null)], 'records-draft')];
}

/** Drafts the file at a press, in a message that the person alone sees. */
export const draftReactions = [
  reactTo(draft, {
    async perform(desk: Doorkeeper & Desk<'records'>, { team, person }) {
      const may = await servesWorkspace(desk, { team, person });
      if (may === undefined) throw new Failure('busy', untold(allApprovers(desk.policy)));
      if (!may) return said('Only approvers can have this drafted, because it affects everybody.');
      const samples = await Promise.all(
        mappedKinds.map(async kind => [kind, await samplesOf(desk, { team, person }, kind)]),
      );
      const text = draftMapping({
        database: [],
        environment: [],
        user: [],
        project: [],
        ...Object.fromEntries(samples),
      });
      const lines = text.trimEnd().split('\n');
      const { texts, many } = codePages(lines, pages.most, pages.room);
      return message([
        section(
          `A first ${code('RECORDS_FILE')}, drafted from the records that your sign-in sees. It changes nothing until whoever runs me puts it in place. Check each line first, and try it with ${code('npm run records:check')}.`,
        ),
        ...texts.map(page => section(page)),
        ...(many < lines.length ? [context('The rest does not fit into a message.')] : []),
      ]);
    },
  }),
];

/** The records of a kind as a list shows them, and the first of them as they show themselves. */
async function samplesOf(desk: Desk<'records'>, owner: Owner, kind: MappedKind): Promise<readonly RecordView[]> {
  const records = desk.records.of(owner);
  const list = await records.list(nounsOf[kind]).catch(failureBut('signed-out'));
  if (list instanceof Failure) return [];
  const listed = list.records.slice(0, most.listed);
  const alone = await Promise.all(
    listed.slice(0, most.alone).map(({ id }) => records.alone(id).catch(failureBut('signed-out'))),
  );
  return [...listed, ...alone.flatMap(one => (one === undefined || one instanceof Failure ? [] : [one]))];
}
