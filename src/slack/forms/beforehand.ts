import { typedIdentifier } from '../../api/identifiers.ts';
import { Failure } from '../../ground/failure.ts';
import { examine } from '../../jobs/approval/checks.ts';
import { certainGates } from '../../jobs/approval/findings.ts';
import { openInquiry } from '../../jobs/approval/question.ts';
import type { Values, WriteOperation } from '../../operations/operation.ts';
import { notSignedIn } from '../../records/records.ts';
import type { Owner } from '../../store/vault.ts';
import { bold, code, plain } from '../blocks/limits.ts';
import type { Desk } from '../desk/desk.ts';

/**
 * Describes a request before it is made, for the form's last page: its record, a misleading name, and the obstacles
 * that will stop it. Each is a line of mrkdwn; unreadable facts are left out.
 */
export async function knownBeforehand(
  desk: Desk,
  owner: Owner,
  operation: WriteOperation,
  values: Values,
): Promise<readonly string[]> {
  const target = typedIdentifier(String(values[operation.target] ?? ''));
  if (!target) return [];
  try {
    const session = await desk.records.session(owner);
    if (!session) throw notSignedIn();
    const { credential, records } = session;
    const inquiry = openInquiry(desk, { owner, credential, operation, values, target, records });
    const seen = await inquiry.reading();
    const factOf = (key: string) =>
      seen instanceof Failure ? undefined : seen?.facts.find(one => one.key === key)?.value;
    const [place, beware] = [factOf('environment'), factOf('beware')];
    const against = (await examine(inquiry)).filter(
      ({ gate, result, stops }) => stops === 'refused' || (result === 'failed' && certainGates.has(gate)),
    );
    return [
      `It is ${code(target.text)}${place === undefined ? '' : ` on ${bold(place)}`}.`,
      ...(beware === undefined ? [] : [`:warning: ${plain(beware, 600)}`]),
      ...against.map(({ gate, sentence }) => {
        const by = certainGates.has(gate) ? 'The service will refuse this' : 'This will not be sent';
        return `:no_entry: ${by}: ${plain(sentence, 600)}`;
      }),
    ];
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    desk.log.info({ error, operation: operation.name }, 'a last page is shown without what the records say');
    return [`It is ${code(target.text)}.`];
  }
}
