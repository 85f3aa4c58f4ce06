import { StoreTrouble } from '../../ground/failure.ts';
import { check, requestKeyOf } from '../../jobs/newJob.ts';
import type { Mover } from '../../jobs/parts.ts';
import type { WriteOperation } from '../../operations/operation.ts';
import { type Content, said } from '../blocks/blocks.ts';
import { code, cut, plain } from '../blocks/limits.ts';
import { mostWhy, whyBlock } from '../blocks/reasonInput.ts';
import type { Desk } from '../desk/desk.ts';
import type { Use } from '../desk/use.ts';
import { chooser } from '../records/chooser.ts';
import { commandButton } from '../words/commandActions.ts';
import { takeInput } from '../words/commandWords.ts';
import { meantBy } from '../words/otherCommands.ts';
import { lookUp, recordInputs } from './inputsInWords.ts';
import { keepJob, storeFault } from './keepJob.ts';
import type { FormRequest } from './openForm.ts';
import { settledAlready } from './settled.ts';

/** Makes jobs that need no form. */
export type JobMaker = Mover & Desk<'records' | 'log' | 'names' | 'wake'>;

/**
 * Runs an operation at once that needs no form: it asks for nothing but its target, and does no harm. Returns the
 * answer for the person; `undefined` where the job's own message is the answer.
 */
export async function runAtOnce(
  desk: JobMaker,
  operation: WriteOperation,
  request: FormRequest & Pick<Use, 'id'>,
): Promise<Content | undefined> {
  // An earlier process may have kept the job before it was killed: the job's message is the answer.
  if (await desk.jobs.findByRequest(requestKeyOf(request, request.id))) return keptIn(request);
  const { text: why = null, others } = takeInput(request.inputs, whyBlock);
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
  const { id, team, person, channel, thread } = request;
  const metadata = { request: id, channel, thread, labels: found.labels };
  const form = { owner: { team, person }, operation, metadata, inputs: found.inputs, values: checked.values };
  const settled = await settledAlready(desk, form);
  if (settled) return said(settled);
  if (await keepJob(desk, form, why && cut(why, mostWhy))) return keptIn(request);
  throw new StoreTrouble(storeFault);
}

/** The answer once a job is kept: its own message says it, but a modal hides that from whoever clicked in there. */
function keptIn({ isInForm, channel }: FormRequest): Content | undefined {
  if (!isInForm) return undefined;
  const place = /^[CG]/.test(channel) ? `in <#${channel}>` : 'in your direct messages';
  return said(`:white_check_mark: I have it. What comes of it appears ${place}.`);
}
