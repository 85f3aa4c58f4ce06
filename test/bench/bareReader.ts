import { setTimeout as sleep } from 'node:timers/promises';
import { Pool } from 'undici';

/*
 * The floor for follow-ups: it reads each person's list every ten seconds and parses it, and has no code of Dolly's. What comes
 * out is an array of records; more it does not look at.
 */
const { SERVICE_URL = '', PEOPLE = '0' } = process.env;
const rhythm = 10_000;
const pool = new Pool(SERVICE_URL, { connections: 32 });

const follow = async (person: number) => {
  await sleep(Math.random() * rhythm);
  for (;;) {
    const headers = { authorization: `Bearer token-${person}` };
    const answer = await pool.request({ method: 'GET', path: '/service/database/list', headers });
    const records: unknown = JSON.parse(await answer.body.text());
    if (!Array.isArray(records) || records.length === 0) throw new Error('there are no records');
    await sleep(rhythm * (0.8 + 0.4 * Math.random()));
  }
};
console.log('ready');
await Promise.all(Array.from({ length: Number(PEOPLE) }, (_, person) => follow(person)));
