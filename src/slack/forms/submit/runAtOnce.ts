import { StoreTrouble } from '../../../ground/failure.ts';
import { check } from '../../../jobs/newJob.ts';
import type { Mover } from '../../../jobs/parts.ts';
import { requestKeyOf } from '../../../jobs/requestKey.ts';
import type { WriteOperation } from '../../../operations/operation.ts';
import { hasEnded } from '../../../store/jobs/rows/job.ts';
import { type Content, said } from '../../blocks/message.ts';
import { code, plain } from '../../blocks/mrkdwn.ts';
import type { Desk } from '../../desk/desk.ts';
import { type Interaction, isPress } from '../../desk/interaction.ts';
import { isChannel } from '../../desk/placeKinds.ts';
import { chooser } from '../../records/chooser.ts';
import { commandButton } from '../../words/commandActions.ts';
import { takeReason } from '../../words/commandText.ts';
import { meantBy } from '../../words/otherCommands.ts';
import { lookUp, recordInputs } from '../fill/inputsInWords.ts';
import { settledAlready } from '../fill/settled.ts';
import type { FormRequest } from '../formReader.ts';
import { keepJob, storeFault } from './keepJob.ts';

/** Makes jobs that need no form. */
export type JobMaker = Mover & Desk<'records' | 'log' | 'names'>;

/**
 * Runs an operation at once that needs no form: it asks for nothing but its target, and does no harm. Returns the
 * answer for the person; `undefined` where the job's own message is the answer.
 * @throws {StoreTrouble} where the store does not take the job
 */
export async function runAtOnce(
  desk: JobMaker,
  operation: WriteOperation,
  request: FormRequest & Pick<Interaction, 'id' | 'takenAt'>,
): Promise<Content | undefined> {
  const asked = await requestOf(desk, request);
  if (asked.type === 'ours') return keptIn(request);
  if (asked.type === 'under way')
    return said('You already pressed this, and it is under way. Its message shows the status.');
  const { why, others } = takeReason(request.inputs);
  const [target] = recordInputs(operation, others);
  if (!target) return said(`Say which one: ${code(`${operation.words.join(' ')} <name or identifier>`)}.`);
  const found = await lookUp(desk, request, { operation, typed: [target] });
  const checked = check(operation, found.inputs);
  if (!checked.ok) {
    if (found.fault) throw found.fault;
    const words = target.text.split(/\s+/);
    const meant = meantBy(operation, ...words);
    const fault = found.notes.join('\n') || plain(Object.values(checked.faults).join(' '));
    if (meant === undefined) return said(fault, chooser(operation.words, found.near));
    const others = words.filter(word => meantBy(operation, word) === undefined);
    const hint = `Did you mean ${code(`${desk.names.db} ${meant}`)}?`;
    return said(`${fault} ${hint}`, [commandButton(desk.names.db, [meant, ...others])]);
  }
  const { team, person, channel, thread } = request;
  const metadata = { request: asked.name, channel, thread, labels: found.labels };
  const form = { owner: { team, person }, operation, metadata, inputs: found.inputs, values: checked.values };
  const settled = await settledAlready(desk, form);
  if (settled) return said(settled);
  // Where nobody knows whether it was kept, the next try finds it under its name.
  const kept = await keepJob(desk, form, why);
  if (kept !== false && kept !== 'late') return keptIn(request);
  throw new StoreTrouble(storeFault);
}

/** The request of an interaction: a new one under its name, the one that an earlier process kept, or one that is under way. */
type RequestOfInteraction = Readonly<{ type: 'new'; name: string } | { type: 'ours' } | { type: 'under way' }>;

/**
 * Finds the request of an interaction. A button has the same name at each press: as long as the job of the last press has not
 * ended, another press asks for nothing; later it counts. A job that was made since the interaction was taken is its own: an
 * earlier process kept it before it was killed. The clock may have been set back since: a time ahead of it then compares
 * with none but another such time.
 */
async function requestOf(
  { jobs, clock }: Desk<'jobs' | 'clock'>,
  interaction: FormRequest & Pick<Interaction, 'id' | 'takenAt'>,
): Promise<RequestOfInteraction> {
  const { takenAt } = interaction;
  const now = clock.now();
  const isOwn = (at: number) => takenAt !== undefined && at >= takenAt && (at <= now || takenAt > now);
  for (let round = 0; ; round++) {
    const name = round === 0 ? interaction.id : `${interaction.id} ${round}`;
    const job = await jobs.findByRequest(requestKeyOf(interaction, name));
    if (!job) return { type: 'new', name };
    if (!isPress(interaction) || isOwn(job.createdAt)) return { type: 'ours' };
    if (job.state === 'unreadable' || !hasEnded(job)) return { type: 'under way' };
  }
}

/** The answer once a job is kept: its own message says it, but a modal hides that from whoever clicked in there. */
function keptIn({ isInForm, channel }: FormRequest): Content | undefined {
  if (!isInForm) return undefined;
  const place = isChannel(channel) ? `in <#${channel}>` : 'in your direct messages';
  return said(`:white_check_mark: Got it. You’ll see the result ${place}.`);
}
