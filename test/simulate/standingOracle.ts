import type { Facts, Found } from './oracles.ts';
import { approversOf } from './sides.ts';

/*
 * What must hold of those who have no say (21): whoever neither owns something nor is among those who may approve is never
 * in the trail as the one who changed it.
 */

/** What people may do about the things of others: to try in vain, to wish, and to look after trouble. */
const open = new Set([
  ...['refused', 'lease wished', 'lease wish withdrawn'],
  ...['alert taken', 'alert handed over', 'alert snoozed', 'alert closed'],
]);
/** Where no rule ends clones, an end is a reminder, which everybody may set. */
const reminder = 'lease set';

/** Looks through the trail for what somebody was refused, and what their act changed all the same (26). */
export function checkRefused({ disk }: Pick<Facts, 'disk'>, found: Found): void {
  const entries = disk.rows(
    "select at, event, actor, job, target, detail from audit where actor like 'U%' order by id",
  );
  for (const { at, actor, job, target, detail } of entries.filter(({ event }) => event === 'refused')) {
    const [, act = ''] = /^(\w+):/.exec(String(detail)) ?? [];
    // Whoever presses twice is told of the second press that the first one did it.
    if (act === '' || /too late|already|store/.test(String(detail))) continue;
    for (const other of entries)
      if (
        other.actor === actor &&
        String(other.event).startsWith(act) &&
        (job === null ? other.target === target : other.job === job) &&
        Math.abs(Number(other.at) - Number(at)) < atOnce
      )
        found(
          '26 refused changed nothing',
          `${actor} was refused (${detail}), and at once did: ${other.event} ${target}`,
        );
  }
}

/** One act writes its entries within this time, in milliseconds. People take longer from one to the next. */
const atOnce = 300;

/** What only those who approve may do. */
const ofApprovers = /^(brake|maintenance) |^audit (read|exported)$|^glass broken$/;

/** Looks through the trail for what somebody did to the thing of another person, or to what is everybody's. */
export function checkStanding({ disk, plan }: Pick<Facts, 'disk' | 'plan'>, found: Found): void {
  const approvers = approversOf(plan);
  for (const { person, word } of disk.rows('select person, word from state_answers where approves = 1'))
    if (!approvers.includes(String(person))) found('21 no standing', `${person} said for everybody what ${word} means`);
  for (const { event, actor } of disk.rows("select event, actor from audit where actor like 'U%'"))
    if (ofApprovers.test(String(event)) && !approvers.includes(String(actor)))
      found('21 no standing', `${actor} is no approver, and did: ${event}`);
  const held = disk.rows("select person, json_extract(body, '$.record') as record from things where kind = 'lease'");
  const made = disk.rows(
    "select person, json_extract(evidence, '$.id') as record from jobs where operation like '%clone%'",
  );
  const isHeld = (actor: unknown, target: unknown) =>
    [...held, ...made].some(({ person, record }) => person === actor && record === target);
  let isBlind = false;
  for (const { event, actor, person, detail, target } of disk.rows(
    'select event, actor, person, detail, target from audit where person is not null order by id',
  )) {
    // Who holds what is to be deleted may object, whoever asked for that.
    if (event === 'holder objected' && isHeld(actor, target)) continue;
    const waitsForAnybody = isBlind;
    if (String(event).startsWith('alerts ')) isBlind = event === 'alerts blind';
    if (actor === person || !String(actor).startsWith('U')) continue;
    if (approvers.includes(String(actor)) || open.has(String(event))) continue;
    // Alerts for which a sign-in is missing are whoever’s has one.
    if (waitsForAnybody && String(event).startsWith('alerts ')) continue;
    if (event === reminder && !plan.leases && plan.tour !== 'leases') continue;
    found('21 no standing', `${actor} has no say in what is ${person}'s, and did: ${event} (${detail})`);
  }
}
