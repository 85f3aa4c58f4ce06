import { z } from 'zod';
import { goesBack } from './faults.ts';
import type { Inbound } from './inbound.ts';
import type { Job } from './jobRows.ts';
import type { Facts, Found } from './oracles.ts';
import { parsed } from './requests.ts';

/*
 * What must hold of what people bring about (27): a message that somebody changed does nothing by itself; what somebody
 * deletes is what they saw; and the trail counts the approvals that count.
 */

const Seen = z.object({ id: z.string(), revision: z.number() });

/** Watches what people bring about. */
export function watchCauses(
  { disk, plan, slack, service }: Pick<Facts, 'disk' | 'plan' | 'slack' | 'service'>,
  found: Found,
) {
  /** The last thing that each person sent. */
  const last = new Map<string, Inbound>();
  /** The revision in which somebody saw each preset when they agreed to its deletion. */
  const deletions = new Map<string, number>();
  let presets = new Map<string, number>();
  return {
    came(inbound: Inbound): void {
      if (inbound.kind !== 'choices') last.set(inbound.person, inbound);
      if (inbound.kind !== 'form' || inbound.name !== 'preset-deletion') return;
      const seen = Seen.safeParse(parsed(inbound.value)).data;
      if (seen) deletions.set(seen.id, seen.revision);
    },
    /** A job is there for the first time. */
    begun({ person, target, operation, schedule, plan: whole, execution, created_at }: Job): void {
      const cause = last.get(person);
      const isByItself = schedule !== null || whole !== null || execution !== null;
      if (isByItself || cause?.kind !== 'changed' || created_at < (cause.exchange.arrivedAt ?? 0)) return;
      const { name = target } = service.records().find(({ id }) => id === target) ?? {};
      if ([target, name].some(one => cause.text.includes(one)))
        found('27 what people meant', `${operation} of ${target} came of a message that was changed, by itself`);
    },
    /** The store has gone back: what is gone since, nobody deleted. */
    wentBack(): void {
      presets = new Map();
    },
    committed(): void {
      if (presets.size === 0 && !plan.acts.some(({ act }) => act === 'wander')) return;
      const now = new Map(
        disk.rows('select id, revision from presets').map(({ id, revision }) => [String(id), Number(revision)]),
      );
      for (const [id, revision] of presets)
        if (!now.has(id) && deletions.has(id) && deletions.get(id) !== revision)
          found(
            '27 what people meant',
            `a preset is deleted in revision ${revision}, and was seen in ${deletions.get(id)}`,
          );
      presets = now;
    },
    atEnd(): void {
      const approved = "select job, actor, login from audit where event in ('approved', 'approved in part')";
      for (const [job, entries] of Map.groupBy(disk.rows(approved), one => String(one.job))) {
        // An approval falls with the standing of whoever gave it, and two as one user are one.
        const standing = entries.filter(({ actor }) => !slack.left.has(String(actor)));
        const told = new Set(standing.map(({ login }) => login)).size;
        const [row] = disk.rows('select target, operation, decisions from jobs where id = ?', job);
        const given = String(row?.decisions).match(/"type":"approved"/g)?.length ?? 0;
        if (row && given < told && !goesBack(plan))
          found(
            '12 the trail',
            `${row.operation} of ${row.target} has ${given} approvals, and the trail tells of ${told}`,
          );
      }
      for (const { id, kind } of disk.rows(
        "select outbox.id, outbox.kind from outbox join due on due.kind = 'notice' and due.id = outbox.id where shown < revision and due_at is null",
      ))
        found('10 all ends', `the message ${kind} ${id} has changed, and Slack was not told`);
    },
  };
}
