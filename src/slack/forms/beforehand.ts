import { typedIdentifier } from '../../api/identifiers.ts';
import { Failure } from '../../ground/failure.ts';
import { examine } from '../../jobs/approval/checks.ts';
import { inspect } from '../../jobs/approval/facts.ts';
import { foretold, gates } from '../../jobs/approval/findings.ts';
import type { Values, WriteOperation } from '../../operations/operation.ts';
import { recordReader } from '../../records/recordReader.ts';
import type { Owner } from '../../store/vault.ts';
import { bold, code, plain } from '../blocks/limits.ts';
import type { Desk } from '../desk/desk.ts';
import { read } from '../records/reading.ts';

/**
 * What is known of a request before it is made, for its last page: which record is meant, what deceives about its name,
 * and what certainly stands in its way. Each is a line of mrkdwn; what cannot be read is left out.
 */
export async function knownBeforehand(
  desk: Desk,
  owner: Owner,
  operation: WriteOperation,
  values: Values,
): Promise<readonly string[]> {
  const target = typedIdentifier(String(values[operation.target] ?? ''));
  if (!target) return [];
  const asked = desk.clock.now();
  const records = recordReader(call => read(desk, owner, call, asked), desk.mapping);
  try {
    const { facts } = await inspect(records, target, values);
    const shown = (key: string) => facts.find(one => one.key === key)?.value;
    const [place, beware] = [shown('environment'), shown('beware')];
    const findings = await examine(desk, { owner, operation, values, target, name: undefined, records });
    const against = findings.filter(
      ({ gate, result }) => result === 'failed' && (gates[gate].stops === 'dolly' || foretold.has(gate)),
    );
    return [
      `It is ${code(target.text)}${place === undefined ? '' : ` on ${bold(place)}`}.`,
      ...(beware === undefined ? [] : [`:warning: ${plain(beware, 600)}`]),
      ...against.map(({ gate, sentence }) => {
        const by = foretold.has(gate) ? 'The service will refuse this' : 'This will not be sent';
        return `:no_entry: ${by}: ${plain(sentence, 600)}`;
      }),
    ];
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    desk.log.info({ error, operation: operation.name }, 'a last page is shown without what the records say');
    return [`It is ${code(target.text)}.`];
  }
}
