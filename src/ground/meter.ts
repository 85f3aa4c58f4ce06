/** A metric: its type, name and meaning in Prometheus, and the labels that tell its series apart. */
type Measure = Readonly<{
  type: 'counter' | 'histogram' | 'gauge';
  name: string;
  help: string;
  labels: readonly string[];
  /** The upper bounds of a histogram's buckets, in seconds. */
  buckets?: readonly number[];
}>;

const quick = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2, 3] as const;
const remote = [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 15] as const;

/** All metrics of Dolly. No label holds text that a person typed, or a name that the service or Slack gave. */
export const measures = {
  commands: {
    type: 'counter',
    name: 'dolly_commands_total',
    help: 'Commands by what they ask for and how they were answered: answered, form, or the kind of failure',
    labels: ['command', 'outcome'],
  },
  ack: {
    type: 'histogram',
    name: 'dolly_ack_seconds',
    help: 'From a request of Slack to its acknowledgement; Slack gives up after 3',
    labels: ['request'],
    buckets: quick,
  },
  jobs: {
    type: 'gauge',
    name: 'dolly_jobs',
    help: 'Jobs that have not ended, read from the store at each scrape (the same from every replica)',
    labels: ['operation', 'state'],
  },
  jobsEnded: {
    type: 'counter',
    name: 'dolly_jobs_ended_total',
    help: 'Jobs that came to an end, by how',
    labels: ['operation', 'state'],
  },
  ends: {
    type: 'counter',
    name: 'dolly_ends_total',
    help: 'Ends of jobs that looks at the records found, by the rule of evidence that decided',
    labels: ['state', 'row'],
  },
  doubts: {
    type: 'gauge',
    name: 'dolly_state_doubts',
    help: 'State words that a job under way asks people about, by kind of record',
    labels: ['kind'],
  },
  messagesGivenUp: {
    type: 'counter',
    name: 'dolly_messages_given_up_total',
    help: 'Messages that could not be delivered, by what they are about; the log names each',
    labels: ['kind'],
  },
  followUp: {
    type: 'histogram',
    name: 'dolly_follow_up_lag_seconds',
    help: 'From the time when a record first showed the result of a job, or its end, to the reply that Slack accepted',
    labels: [],
    buckets: [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300],
  },
  looks: {
    type: 'counter',
    name: 'dolly_looks_total',
    help: 'Looks at the records for a running job; one read of a list serves all jobs of a person',
    labels: ['operation'],
  },
  lists: { type: 'counter', name: 'dolly_look_lists_total', help: 'Whole lists read for those looks', labels: [] },
  serviceRequests: {
    type: 'counter',
    name: 'dolly_service_requests_total',
    help: 'Requests to the service by path, without identifiers, and outcome: ok, or the kind of failure',
    labels: ['endpoint', 'outcome'],
  },
  service: {
    type: 'histogram',
    name: 'dolly_service_request_seconds',
    help: 'How long the service took to answer',
    labels: ['endpoint'],
    buckets: remote,
  },
  slackCalls: {
    type: 'counter',
    name: 'dolly_slack_calls_total',
    help: 'Calls of the Web API by method and outcome: ok, Slack’s own word for the error, rate limited, or no answer',
    labels: ['method', 'outcome'],
  },
  slack: {
    type: 'histogram',
    name: 'dolly_slack_call_seconds',
    help: 'How long Slack took to answer',
    labels: ['method'],
    buckets: remote,
  },
  store: {
    type: 'histogram',
    name: 'dolly_store_statement_seconds',
    help: 'Statements of the store by their first word; “commit” is what makes a change of a job durable',
    labels: ['statement'],
    buckets: [0.0001, 0.00025, ...quick.slice(0, -2)],
  },
  incidents: {
    type: 'counter',
    name: 'dolly_incidents_total',
    help: 'Incidents that channels were told, by the kinds of trouble with which they began',
    labels: ['kind'],
  },
  incidentTaken: {
    type: 'histogram',
    name: 'dolly_incident_taken_seconds',
    help: 'From the beginning of an incident until somebody said that they are on it',
    labels: [],
    buckets: [60, 300, 900, 1_800, 3_600, 14_400, 43_200],
  },
  lastLook: {
    type: 'gauge',
    name: 'dolly_alerts_last_look_seconds',
    help: 'The time of the last look for alerts that went well, of the sign-in that looked least recently (seconds since the epoch)',
    labels: ['reader'],
  },
  connections: {
    type: 'gauge',
    name: 'dolly_store_connections',
    help: 'Connections to PostgreSQL (total, idle), and who waits for one (waiting)',
    labels: ['state'],
  },
} as const satisfies Readonly<Record<string, Measure>>;

type Measures = typeof measures;
type Of<Type> = { [M in keyof Measures]: Measures[M]['type'] extends Type ? M : never }[keyof Measures];
type Labels<M extends keyof Measures> = Readonly<Record<Measures[M]['labels'][number], string>>;

/** A present value of a gauge. */
export type Gauged<M extends keyof Measures> = Readonly<{ labels: Labels<M>; value: number }>;

/** Receives measurements from all layers. No method throws or waits, or shows how measurements are kept. */
export type Meter = Readonly<{
  count<M extends Of<'counter'>>(measure: M, labels: Labels<M>): void;
  /** Records a duration, in milliseconds. */
  took<M extends Of<'histogram'>>(measure: M, labels: Labels<M>, milliseconds: number): void;
  /** Registers the reader of a gauge, which runs at each scrape. */
  reads<M extends Of<'gauge'>>(measure: M, read: () => Promise<readonly Gauged<M>[]>): void;
}>;

/** Measures nothing. */
export const noMeter: Meter = { count: () => undefined, took: () => undefined, reads: () => undefined };

/**
 * Starts a stopwatch, which gives the milliseconds since its start. It does not use the clock: tests turn that by hand.
 */
export function stopwatch(): () => number {
  const began = performance.now();
  return () => performance.now() - began;
}
