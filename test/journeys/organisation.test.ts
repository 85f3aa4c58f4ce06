import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Someone } from '../person.ts';
import { textOf } from '../sandbox/playground/blockText.ts';
import type { World } from '../world.ts';
import { answerTo } from './asking.ts';
import { install, organisation, uninstalledWorld } from './installations.ts';

describe('in a whole organisation', () => {
  let earth: World;
  let ana: Someone;
  let pia: Someone;
  beforeAll(async () => {
    const keys = { APPROVERS: 'S0DBAS0001', APPROVAL_CHANNEL: `${organisation.team}:C0APPROVAL` };
    earth = await uninstalledWorld([organisation.team], { environment: keys, handsOnStore: true });
    earth.playground.slack.settings.organisation = true;
    expect((await install(earth, organisation)).status).toBe(200);
    ana = await earth.enters('ana');
    pia = await earth.enters('pia');
  });
  afterAll(() => earth.close());

  test('jobs and sign-ins of people in any workspace are kept under their organisation', async () => {
    await earth.signsIn(ana, '#databases', 'ana');
    await earth.signsIn(pia, '#partner-dev', 'ben');
    await ana.types('#databases', '/db backup orders');
    await earth.until(() => earth.cards('#databases')[0], 'the message');
    await pia.types('#partner-dev', '/db backup crm');
    await earth.until(() => earth.cards('#partner-dev')[0], 'the message');
    expect(await ana.opensHome()).toContain('orders');
    expect(await pia.opensHome()).toContain('crm');
    const store = earth.store();
    for (const table of ['jobs', 'credentials', 'homes'] as const) {
      const rows = await store.selectFrom(table).select(['team', 'person']).orderBy('person').execute();
      expect([table, rows]).toEqual([
        table,
        [
          { team: organisation.team, person: ana.id },
          { team: organisation.team, person: pia.id },
        ],
      ]);
    }
  });

  test('forms open in any workspace of an organisation, and the approvers’ group reads its one audit trail', async () => {
    await pia.types('#partner-dev', '/clone orders');
    const form = await pia.modal();
    expect(form.title).toContain('lone');
    await pia.cancels(true);
    const audit = textOf(await answerTo(ana, '/db audit'));
    expect(audit).toContain('*The audit trail*');
    expect(textOf(await answerTo(pia, '/db audit', '#partner-dev'))).not.toContain('*The audit trail*');
    const teams = await earth.store().selectFrom('audit').select('team').distinct().execute();
    expect(teams).toEqual([{ team: organisation.team }]);
  });
});
