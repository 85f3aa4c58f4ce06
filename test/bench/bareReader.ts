import { setTimeout as sleep } from 'node:timers/promises';
import { Pool } from 'undici';
import { readList } from '../../src/api/reading/recordList.ts';
import { tokenAt } from './estate.ts';

/*
 * The floor for follow-ups: it reads each person's list every ten seconds, parses it, and makes records of it: what each is
 * called and its state.
 */
const { SERVICE_URL = '', PEOPLE = '0' } = process.env;
const rhythm = 10_000;
const pool = new Pool(SERVICE_URL, { connections: 32 });

const follow = async (person: number) => {
  await sleep(Math.random() * rhythm);
  for (;;) {
    const headers = { authorization: `Bearer ${tokenAt(person)}` };
    const answer = await pool.request({ method: 'GET', path: '/service/database/list', headers });
    for (const { name, state } of readList(JSON.parse(await answer.body.text()), ['live', 'clone']).records)
      if (!name || !state) throw new Error('a record shows nothing');
    await sleep(rhythm * (0.8 + 0.4 * Math.random()));
  }
};
console.log('ready');
await Promise.all(Array.from({ length: Number(PEOPLE) }, (_, person) => follow(person)));
