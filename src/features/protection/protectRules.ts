import type { Mention } from '../../api/reading/mentions.ts';
import type { RecordView } from '../../api/reading/recordView.ts';
import { day } from '../../ground/durations.ts';
import { projectsOf } from '../../jobs/approval/facts/facts.ts';
import type { Policy } from '../../jobs/approval/policy/rules.ts';
import { possibleOf } from '../../jobs/approval/policy/verdict.ts';

/** The protection that is wanted for a record. Durations are in milliseconds. */
export type WantedProtection = Readonly<{
  /** The title of the rule that wants it; `null` where none applies, so that the usual is compared with. */
  rule: string | null;
  backup: number | undefined;
  logs: number | undefined;
  keepClones: number | undefined;
}>;

/** The times that are compared with where no rule says another. */
const usual: WantedProtection = { rule: null, backup: day, logs: undefined, keepClones: 30 * day };

/**
 * The protection that the policy wants for a record: that of the first rule that applies. Where the record does not show
 * whether an earlier rule applies, the stricter of both is wanted.
 */
export function wantedFor({ protect }: Pick<Policy, 'protect'>, record: RecordView, places: Places): WantedProtection {
  if (protect.length === 0) return usual;
  const subject = subjectOf(record, places, key => protect.some(rule => rule[key] !== undefined));
  const [first, ...others] = possibleOf(protect, subject, wantedBy, usual);
  return others.reduce(stricter, first);
}

function wantedBy(rule: Policy['protect'][number], at: number): WantedProtection {
  const { title = `protect rule ${at + 1}`, backup, logs, keepClones } = rule;
  return { rule: title, backup, logs, keepClones };
}

function stricter(one: WantedProtection, other: WantedProtection): WantedProtection {
  const least = (key: 'backup' | 'logs' | 'keepClones') => {
    const times = [one[key], other[key]].filter(time => time !== undefined);
    return times.length === 0 ? undefined : Math.min(...times);
  };
  return {
    rule: one.rule ?? other.rule,
    backup: least('backup'),
    logs: least('logs'),
    keepClones: least('keepClones'),
  };
}

/** The places that rules ask about: names of environments and projects by identifier. */
export type Places = Readonly<{
  names: ReadonlyMap<string, string>;
  /** Whether the service shows the projects of databases: one without a project is then in none. */
  showsProjects: boolean;
}>;

/** A record as the conditions of rules see it. What no rule asks for is not read. */
function subjectOf(
  record: RecordView,
  { names, showsProjects }: Places,
  asks: (key: 'environment' | 'project') => boolean,
) {
  const textsOf = (mentions: readonly Mention[]) =>
    mentions.flatMap(({ id, label }) => [id.text, label ?? names.get(id.text) ?? id.text]);
  const projects = asks('project') ? projectsOf(record) : [];
  const environment = asks('environment') ? record.environment : undefined;
  return {
    operation: undefined,
    names: record.name === undefined ? undefined : [record.id.text, record.name],
    environments: environment && textsOf([environment]),
    projects: projects.length === 0 && !showsProjects ? undefined : textsOf(projects),
    isOneOf: () => undefined,
  };
}
