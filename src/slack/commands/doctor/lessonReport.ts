import type { KnownBlock } from '@slack/types';
import { z } from 'zod';
import { vendorNames } from '../../../api/identifiers.ts';
import { Failure } from '../../../ground/failure.ts';
import { actorOf } from '../../../jobs/actor.ts';
import { servesWorkspace } from '../../../jobs/approval/people/hasSay.ts';
import { allApprovers } from '../../../jobs/approval/policy/rules.ts';
import { untold } from '../../../jobs/approval/policy/verdict.ts';
import { writeOperation } from '../../../operations/catalogue.ts';
import type { RequiredFieldRow } from '../../../store/tables/rows.ts';
import { asJson, defineAction } from '../../blocks/action.ts';
import { section } from '../../blocks/blocks.ts';
import { cut, limits } from '../../blocks/limits.ts';
import { said } from '../../blocks/message.ts';
import { plain } from '../../blocks/mrkdwn.ts';
import type { Desk, Doorkeeper } from '../../desk/desk.ts';
import { reactTo } from '../../desk/reaction.ts';

/** A lesson in a button: the operation, and the vendor, which is empty for targets without one. */
const Lesson = z.object({ o: z.string(), v: z.string() });

/** Lets the fields of one operation and vendor be forgotten. */
const forgetLesson = defineAction('lesson.forget', asJson(Lesson));

/** Max lessons that the doctor shows: more than a service can teach today. */
const maxLessons = 20;

/** The fields that the service taught Dolly to ask for, for the doctor, each with a button that ends it. */
export async function lessonBlocks(desk: Desk<'requiredFields'>): Promise<readonly KnownBlock[]> {
  const lessons = [
    ...Map.groupBy(await desk.requiredFields.all(), ({ operation, vendor }) => `${operation} ${vendor}`),
  ];
  if (lessons.length === 0)
    return [
      section(
        '*Fields that this service needs*: none yet beyond those in the forms. I learn them when it refuses a request.',
      ),
    ];
  return [
    section(
      '*Fields that this service needs*, as its refusals said. I ask for them until it accepts a request without them.',
    ),
    ...lessons.slice(0, maxLessons).flatMap(([, rows]) => lessonSection(rows)),
  ];
}

function lessonSection(rows: readonly RequiredFieldRow[]): KnownBlock[] {
  const [first] = rows;
  if (!first) return [];
  const operation = writeOperation(first.operation);
  const labels = rows.map(({ field }) => operation?.fields.find(({ name }) => name === field)?.label ?? field);
  const vendor = Object.entries(vendorNames).find(([name]) => name === first.vendor)?.[1];
  const what = [operation?.words.join(' ') ?? first.operation, vendor].filter(Boolean).join(', ');
  const text = cut(`${plain(what)}: ${plain(labels.join(', '), 1_000)}`, limits.sectionText);
  const value = { o: first.operation, v: first.vendor };
  const suffix = `${first.operation}-${first.vendor}`;
  const button = {
    ...forgetLesson.button('Forget', value, { suffix }),
    accessibility_label: cut(`Forget: ${what}`, 75),
  };
  return [{ ...section(text), accessory: button }];
}

/** Reacts to the doctor's buttons that let a lesson be forgotten. The next such refusal teaches it again. */
export const lessonReactions = [
  reactTo(forgetLesson, {
    acts: () => true,
    async perform(desk: Doorkeeper & Desk<'requiredFields'>, { person, team, channel }, { o: operation, v: vendor }) {
      const may = await servesWorkspace(desk, { team, person });
      if (may === undefined) throw new Failure('busy', untold(allApprovers(desk.policy)));
      if (!may) return said('Only approvers can make me forget this, because it affects everybody.');
      await desk.requiredFields.forget({ operation, vendor });
      const entry = { ...(await actorOf(desk, { team, person }, channel)), team, person, operation };
      await desk.audit.add({ ...entry, at: desk.clock.now(), event: 'lesson forgotten', detail: vendor });
      return said(
        'Forgotten: these fields may be left empty again. If the service refuses that, I’ll ask for them again.',
      );
    },
  }),
];
