import { pino } from 'pino';
import type { Service } from '../../src/api/connection/serviceClient.ts';
import { noMeter } from '../../src/ground/meter.ts';
import { openVocabulary } from '../../src/jobs/evidence/words/stateVocabulary.ts';
import { openRecords } from '../../src/records/records.ts';
import type { Store } from '../../src/store/database.ts';
import { alertsIn } from '../../src/store/tables/alerts/alerts.ts';
import { sightsIn } from '../../src/store/tables/alerts/sights.ts';
import { auditIn } from '../../src/store/tables/audit/audit.ts';
import type { Credentials } from '../../src/store/tables/credentials.ts';
import { learnedWordsIn } from '../../src/store/tables/learnedWords.ts';
import { outboxIn } from '../../src/store/tables/outbox.ts';
import { requiredFieldsIn } from '../../src/store/tables/requiredFields.ts';
import { stateAnswersIn } from '../../src/store/tables/stateAnswers.ts';
import { thingsIn } from '../../src/store/things/things.ts';
import type { TestClock } from '../clock.ts';

const url = 'http://service.invalid';

/** What work on jobs needs of a real store, and of a service that is read with these sign-ins; there is no Slack. */
export function storedParts(
  store: Store,
  service: Service,
  credentials: Credentials,
  { clock, lastEnd }: Readonly<{ clock: TestClock; lastEnd: Parameters<typeof openRecords>[0]['lastEnd'] }>,
) {
  const log = pino({ level: 'silent' });
  return {
    ...{ service, credentials, clock, log, meter: noMeter, account: undefined },
    ...{ audit: auditIn(store), things: thingsIn(store), outbox: outboxIn(store) },
    ...{ alerts: alertsIn(store), sights: sightsIn(store) },
    ...{ stateAnswers: stateAnswersIn(store, url), requiredFields: requiredFieldsIn(store, url) },
    vocabulary: openVocabulary(learnedWordsIn(store), url, {}, clock),
    records: openRecords({ service, credentials, lastEnd, mapping: {}, clock, log, meter: noMeter }),
    isUninstalled: async () => false,
  };
}
