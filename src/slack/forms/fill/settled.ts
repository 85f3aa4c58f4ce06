import { recordCall } from '../../../api/call.ts';
import { typedIdentifier } from '../../../api/identifiers.ts';
import { obstaclesTo } from '../../../operations/availability.ts';
import { plain } from '../../blocks/mrkdwn.ts';
import type { Seeker } from '../../desk/desk.ts';
import type { CheckedForm } from '../formState.ts';

/**
 * Says that the target is already in the requested state, so that nothing is sent; `undefined` if it is not, or cannot
 * be read.
 */
export async function settledAlready(
  desk: Seeker,
  { owner, operation, values, metadata }: CheckedForm,
): Promise<string | undefined> {
  const id = typedIdentifier(String(values[operation.target] ?? ''));
  const call = id && operation.pointlessIn && recordCall(id);
  if (!call || !id.noun) return undefined;
  try {
    const record = await desk.records.of(owner, desk.clock.now()).alone(id);
    const beside = id.noun === 'environment' ? [id.noun] : (['live', 'clone'] as const);
    if (!record) return undefined;
    const { records: others } = await desk.records.of(owner).list(beside);
    // Other obstacles are for the service to report: Dolly may misread the records.
    const [word] = obstaclesTo(operation, { id, state: record.state, others }).flatMap(obstacle =>
      obstacle.about === 'state' ? [obstacle.word] : [],
    );
    const name = record.name ?? metadata.labels[id.text] ?? id.text;
    return word && `${plain(name, 100)} is already ${plain(word, 60)}, so I sent nothing.`;
  } catch (error) {
    desk.log.info({ error, record: id.text }, 'a record could not be read before it is asked for');
    return undefined;
  }
}
