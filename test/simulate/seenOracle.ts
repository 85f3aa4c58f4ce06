import { textOf } from '../person.ts';
import { inboundOf } from './inbound.ts';
import { jobsIn } from './jobRows.ts';
import { messagesOf } from './messageOracle.ts';
import type { Facts, Found } from './oracles.ts';
import { veiled } from './veil.ts';

/*
 * What must hold of what people see (25): what the sign-in of one person was shown is told to nobody to whom the service would
 * not show it. Some records are shown to one user alone; nobody asks for anything about them in a channel.
 */

/** Looks through all that was told to people alone. */
export function checkSeen(
  { slack, network, logins, disk }: Pick<Facts, 'slack' | 'network' | 'logins' | 'disk'>,
  found: Found,
): void {
  for (const { person, channel, operation, target } of jobsIn(disk))
    if (/^[DU]/.test(channel) && channel.slice(1) !== person.slice(1))
      found('25 seen by its own', `${operation} of ${target} is ${person}'s, and told in ${channel}`);
  const people = slack.slack.workspace.people;
  const mayKnow = (person: string) => {
    const name = people.find(({ id }) => id === person)?.name;
    return name === veiled.to || logins.ever(person).includes(veiled.to);
  };
  for (const message of messagesOf(slack)) {
    const reader =
      message.onlyFor ?? (message.channel.startsWith('D') ? message.channel.replace(/^D/, 'U') : undefined);
    const text = textOf(message);
    // What the alerts of a channel tell is for all who read it, as whoever turned them on chose.
    const isOfAlerts = /\*\d+ open problems?\*/.test(text);
    if (reader !== undefined && text.includes(veiled.name) && !mayKnow(reader) && !isOfAlerts)
      found('25 seen by its own', `${reader} was told of ${veiled.name}: ${text.slice(0, 200)}`);
  }
  /** Who had each trigger. */
  const triggers = new Map<string, string>();
  for (const exchange of network.exchanges) {
    const asked = inboundOf(exchange);
    if (asked?.trigger) triggers.set(asked.trigger, asked.person);
    const shown = asked ? exchange.answer?.body : exchange.body;
    if (!shown?.includes(veiled.name)) continue;
    const fields = new URLSearchParams(exchange.body);
    const reader = asked?.person ?? fields.get('user_id') ?? triggers.get(fields.get('trigger_id') ?? '');
    if (reader !== undefined && !mayKnow(reader) && /views\.|\/slack\/events$/.test(exchange.url.pathname))
      found('25 seen by its own', `${exchange.url.pathname} shows ${veiled.name} to ${reader}`);
  }
}
