import type { Noun } from '../../../api/identifiers.ts';
import type { RecordView } from '../../../api/reading/recordView.ts';
import { Failure, failureBut } from '../../../ground/failure.ts';
import { servesWorkspace } from '../../../jobs/approval/people/authority.ts';
import { allApprovers } from '../../../jobs/approval/policy/rules.ts';
import { untold } from '../../../jobs/approval/policy/verdict.ts';
import { draftMapping, type MappedKind, mappedKinds } from '../../../jobs/mapping/draftMapping.ts';
import type { Owner } from '../../../store/vault.ts';
import { asNothing, defineAction } from '../../blocks/action.ts';
import { actionsRow, message, said, section } from '../../blocks/blocks.ts';
import { code, escaped } from '../../blocks/limits.ts';
import type { Desk, Doorkeeper } from '../../desk/desk.ts';
import { reactTo } from '../../desk/reaction.ts';

/* A first RECORDS_FILE in `/db doctor`, out of the records that the sign-in of whoever asks for it sees. */

const draft = defineAction('records.draft', asNothing);

/** Max records of a list that the draft rests on, and max records of each kind that are read alone: they may show more than a list. */
const most = { listed: 300, alone: 3 } as const;

const nounsOf = {
  database: ['live', 'clone'],
  environment: ['environment'],
  user: ['user'],
  project: ['project'],
} as const satisfies Record<MappedKind, readonly Noun[]>;

/** Offers the draft to whoever may say what holds for the workspace. */
export async function draftBlocks(desk: Doorkeeper, owner: Owner) {
  if ((await servesWorkspace(desk, owner)) !== true) return [];
  const text = `${code('RECORDS_FILE')} says how records are read where I misread them.`;
  return [section(text), ...actionsRow([draft.button('Draft it', null)], 'records-draft')];
}

/** Drafts the file at a press, in a message that the person alone sees. */
export const draftReactions = [
  reactTo(draft, {
    async perform(desk: Doorkeeper & Desk<'records'>, { team, person }) {
      const may = await servesWorkspace(desk, { team, person });
      if (may === undefined) throw new Failure('busy', untold(allApprovers(desk.policy)));
      if (!may) return said('Only those who approve can have this drafted: it holds for everybody.');
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
      return message([
        section(
          `A first ${code('RECORDS_FILE')}, out of the records that your sign-in sees. It changes nothing until whoever runs me puts it there: look at each line before, and try it with ${code('npm run records:check')}.`,
        ),
        ...pagesOf(text).map(page => section(`\`\`\`\n${escaped(page)}\n\`\`\``)),
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

/** Max characters of a page, and max pages: what is longer is cut, and says so. */
const longest = 2_800;
const maxPages = 3;

/** The text in pages of whole lines. */
function pagesOf(text: string): readonly string[] {
  const pages = [''];
  // A backtick would end the block; the text has its blanks and line ends otherwise as they are.
  for (const line of text.trimEnd().replaceAll('`', 'ˋ').split('\n')) {
    const last = pages.at(-1) ?? '';
    if (last.length + line.length < longest) pages[pages.length - 1] = last === '' ? line : `${last}\n${line}`;
    else pages.push(line);
  }
  const cut = pages.slice(0, maxPages);
  return pages.length > maxPages
    ? [...cut.slice(0, -1), `${cut.at(-1)}\n# The rest does not fit into a message.`]
    : cut;
}
