import { expect, test } from 'vitest';
import { features } from '../../src/app/features.ts';
import { textOf } from '../person.ts';
import { world } from '../world.ts';
import { answerTo, asks, comesToAnEnd } from './asking.ts';
import { opensForm } from './clones.ts';

/* Whoever takes a feature out deletes a folder and a line. The rest goes on, and its words are nobody’s. */

const others = features.filter(({ name }) => name !== 'core');

test('eleven features can be taken out of Dolly', () => {
  expect(others.map(({ name }) => name)).toEqual([
    ...['brake', 'protection', 'contact', 'batches', 'leases', 'schedules', 'secondLooks', 'objections', 'alerts'],
    ...['steps', 'notify'],
  ]);
});

test.each(others.map(feature => [feature.name, feature] as const))(
  'without the feature %s, Dolly starts, does jobs, and does not know its commands',
  async (name, feature) => {
    const rest = features.filter(one => one !== feature);
    const earth = await world({ surroundings: { features: rest } });
    try {
      const ana = await earth.enters('Ana', 'ana');
      for (const { word } of feature.commands?.own ?? [])
        expect(textOf(await answerTo(ana, `/db ${word}`))).toContain(`I do not know \`${word}\``);
      await opensForm(ana, '#databases', '/db refresh');
      expect(JSON.stringify(ana.sees().views).includes('On a schedule…')).toBe(name !== 'schedules');
      await ana.cancels();
      const help = textOf(await answerTo(ana, '/db help all'));
      for (const { usage } of feature.commands?.own ?? []) expect(help).not.toContain(`/db ${usage.split(' ')[0]} `);
      const card = await comesToAnEnd(earth, await asks(earth, ana, '/db backup orders'));
      expect(textOf(card)).toContain(':white_check_mark:');
      const ready: unknown = await (await fetch(`${earth.dolly().url}/readyz`)).json();
      expect(ready).not.toHaveProperty(name);
      expect(ready).toHaveProperty('ready', true);
    } finally {
      await earth.close();
    }
  },
);
