import { type Kysely, PostgresAdapter, sql } from 'kysely';
import { type Migration, Migrator } from 'kysely/migration';
import { type Store, StoreFault } from './database.ts';

/**
 * The changes of the schema by each release, in the order of their names. A change that was released stays as it is.
 */
const migrations: Record<string, Migration> = {
  '2026-11-21-first': {
    async up(store: Kysely<unknown>) {
      await store.schema
        .createTable('jobs')
        .addColumn('id', 'text', column => column.primaryKey())
        .addColumn('request_key', 'text', column => column.notNull().unique())
        .addColumn('team', 'text', column => column.notNull())
        .addColumn('person', 'text', column => column.notNull())
        .addColumn('operation', 'text', column => column.notNull())
        .addColumn('inputs', 'text', column => column.notNull())
        .addColumn('labels', 'text', column => column.notNull())
        .addColumn('target', 'text', column => column.notNull())
        .addColumn('target_name', 'text')
        .addColumn('state', 'text', column => column.notNull())
        .addColumn('reason', 'text')
        .addColumn('hold', 'text')
        .addColumn('in_doubt', 'integer', column => column.notNull().defaultTo(0))
        .addColumn('baseline', 'text')
        .addColumn('evidence', 'text')
        .addColumn('claimed', 'text')
        .addColumn('created_at', 'bigint', column => column.notNull())
        .addColumn('sent_at', 'bigint')
        .addColumn('ended_at', 'bigint')
        .addColumn('due_at', 'bigint')
        .addColumn('deadline_at', 'bigint')
        .addColumn('looks', 'integer', column => column.notNull().defaultTo(0))
        .addColumn('lease_until', 'bigint', column => column.notNull().defaultTo(0))
        .addColumn('channel', 'text', column => column.notNull())
        .addColumn('place', 'text')
        .addColumn('message_ts', 'text')
        .addColumn('reply_ts', 'text')
        .addColumn('revision', 'integer', column => column.notNull().defaultTo(1))
        .addColumn('shown', 'integer', column => column.notNull().defaultTo(0))
        .addColumn('tell_at', 'bigint')
        .addColumn('tell_tries', 'integer', column => column.notNull().defaultTo(0))
        .addColumn('tell_lease_until', 'bigint', column => column.notNull().defaultTo(0))
        .addColumn('posting', 'text')
        .execute();
      await store.schema.createIndex('jobs_due').on('jobs').column('due_at').execute();
      await store.schema.createIndex('jobs_tell').on('jobs').column('tell_at').execute();
      await store.schema.createIndex('jobs_person').on('jobs').columns(['team', 'person', 'created_at']).execute();
      await store.schema.createIndex('jobs_claimed').on('jobs').column('claimed').execute();
      await store.schema
        .createTable('credentials')
        .addColumn('team', 'text', column => column.notNull())
        .addColumn('person', 'text', column => column.notNull())
        .addColumn('username', 'text', column => column.notNull())
        .addColumn('token', 'text', column => column.notNull())
        .addColumn('created_at', 'bigint', column => column.notNull())
        .addPrimaryKeyConstraint('credentials_person', ['team', 'person'])
        .execute();
      await store.schema
        .createTable('links')
        .addColumn('id', 'text', column => column.primaryKey())
        .addColumn('team', 'text', column => column.notNull())
        .addColumn('person', 'text', column => column.notNull())
        .addColumn('channel', 'text', column => column.notNull())
        .addColumn('intent', 'text')
        .addColumn('expires_at', 'bigint', column => column.notNull())
        .addColumn('tries', 'integer', column => column.notNull().defaultTo(0))
        .execute();
    },
  },
  '2026-11-21-power': {
    async up(store: Kysely<unknown>) {
      const jobs = () => store.schema.alterTable('jobs');
      for (const name of ['purpose', 'login', 'terms', 'facts', 'digest', 'card_place', 'emergency'])
        await jobs().addColumn(name, 'text').execute();
      await jobs().addColumn('expires_at', 'bigint').execute();
      await jobs()
        .addColumn('reminders', 'integer', column => column.notNull().defaultTo(0))
        .execute();
      await jobs()
        .addColumn('decisions', 'text', column => column.notNull().defaultTo('[]'))
        .execute();
      await jobs()
        .addColumn('posts', 'text', column => column.notNull().defaultTo('{}'))
        .execute();
      await store.schema.createIndex('jobs_state').on('jobs').columns(['team', 'state']).execute();
      await store.schema.createIndex('jobs_target').on('jobs').columns(['team', 'target', 'state']).execute();
      await store.schema
        .createTable('audit')
        .addColumn('id', 'text', column => column.primaryKey())
        .addColumn('at', 'bigint', column => column.notNull())
        .addColumn('team', 'text', column => column.notNull())
        .addColumn('actor', 'text', column => column.notNull())
        .addColumn('person', 'text')
        .addColumn('login', 'text')
        .addColumn('event', 'text', column => column.notNull())
        .addColumn('operation', 'text')
        .addColumn('target', 'text')
        .addColumn('target_name', 'text')
        .addColumn('job', 'text')
        .addColumn('channel', 'text')
        .addColumn('detail', 'text')
        .addColumn('text', 'text', column => column.notNull())
        .execute();
      await store.schema.createIndex('audit_team').on('audit').columns(['team', 'id']).execute();
      await store.schema.createIndex('audit_at').on('audit').column('at').execute();
    },
  },
  '2026-11-21-tries': {
    async up(store: Kysely<unknown>) {
      await store.schema
        .createTable('tries')
        .addColumn('id', 'text', column => column.notNull())
        .addColumn('about', 'text', column => column.notNull())
        .addColumn('tried_at', 'bigint', column => column.notNull())
        .addPrimaryKeyConstraint('tries_one', ['about', 'id'])
        .execute();
    },
  },
  '2026-11-22-claims': {
    async up(store: Kysely<unknown>) {
      await store.schema
        .createTable('claims')
        .addColumn('record', 'text', column => column.primaryKey())
        .addColumn('job', 'text', column => column.notNull())
        .execute();
      const before = sql`select claimed, max(id) from jobs where claimed is not null group by claimed`;
      await sql`insert into claims (record, job) ${before}`.execute(store);
    },
  },
  '2026-11-22-homes': {
    async up(store: Kysely<unknown>) {
      await store.schema
        .createTable('homes')
        .addColumn('team', 'text', column => column.notNull())
        .addColumn('person', 'text', column => column.notNull())
        .addColumn('opened_at', 'bigint', column => column.notNull())
        .addColumn('pages', 'text', column => column.notNull())
        .addColumn('asked', 'integer', column => column.notNull())
        .addColumn('seen', 'text', column => column.notNull())
        .addColumn('digest', 'text', column => column.notNull())
        .addColumn('next_at', 'bigint', column => column.notNull())
        .addColumn('lease_until', 'bigint', column => column.notNull())
        .addColumn('tries', 'integer', column => column.notNull())
        .addPrimaryKeyConstraint('homes_person', ['team', 'person'])
        .execute();
      await store.schema.createIndex('homes_opened').on('homes').column('opened_at').execute();
      // This index alone tells whether anything changed for a person: rows of jobs may be large.
      await store.schema.createIndex('jobs_revision').on('jobs').columns(['team', 'person', 'revision']).execute();
    },
  },
  '2026-11-22-looks': {
    async up(store: Kysely<unknown>) {
      // A person's jobs are looked at together. The index finds them quickly, however many others have ended.
      await store.schema.createIndex('jobs_looks').on('jobs').columns(['team', 'person', 'due_at']).execute();
    },
  },
  '2026-11-23-uses': {
    async up(store: Kysely<unknown>) {
      await store.schema
        .createTable('uses')
        .addColumn('id', 'text', column => column.primaryKey())
        .addColumn('team', 'text', column => column.notNull())
        .addColumn('person', 'text', column => column.notNull())
        .addColumn('channel', 'text', column => column.notNull())
        .addColumn('action', 'text', column => column.notNull())
        .addColumn('value', 'text', column => column.notNull())
        .addColumn('created_at', 'bigint', column => column.notNull())
        .addColumn('due_at', 'bigint', column => column.notNull())
        .addColumn('lease_until', 'bigint', column => column.notNull())
        .addColumn('tries', 'integer', column => column.notNull())
        .execute();
      await store.schema.createIndex('uses_due').on('uses').column('due_at').execute();
    },
  },
  '2026-11-23-words': {
    async up(store: Kysely<unknown>) {
      await store.schema
        .createTable('words')
        .addColumn('service', 'text', column => column.notNull())
        .addColumn('kind', 'text', column => column.notNull())
        .addColumn('word', 'text', column => column.notNull())
        .addColumn('stood', 'integer', column => column.notNull())
        .addColumn('rested', 'integer', column => column.notNull())
        .addColumn('passed', 'integer', column => column.notNull())
        .addColumn('seen_at', 'bigint', column => column.notNull())
        .addPrimaryKeyConstraint('words_one', ['service', 'kind', 'word'])
        .execute();
      // Jobs that overlap on the same record are searched for in all teams.
      await store.schema.createIndex('jobs_overlap').on('jobs').columns(['target', 'state']).execute();
    },
  },
  '2026-11-24-narrow-looks': {
    async up(store: Kysely<unknown>) {
      await store.schema
        .createTable('looks')
        .addColumn('job', 'text', column => column.primaryKey())
        .addColumn('team', 'text', column => column.notNull())
        .addColumn('person', 'text', column => column.notNull())
        .addColumn('due_at', 'bigint', column => column.notNull())
        .addColumn('free_at', 'bigint', column => column.notNull())
        .addColumn('looks', 'integer', column => column.notNull())
        .execute();
      await store.schema.createIndex('looks_free').on('looks').column('free_at').execute();
      await store.schema.createIndex('looks_person').on('looks').columns(['team', 'person']).execute();
    },
  },
  '2026-11-25-history': {
    async up(store: Kysely<unknown>) {
      await store.schema
        .createTable('audit_blocks')
        .addColumn('last', 'text', column => column.primaryKey())
        .addColumn('lower', 'text', column => column.notNull().unique())
        .addColumn('oldest', 'bigint')
        .addColumn('newest', 'bigint')
        .addColumn('late', 'integer', column => column.notNull().defaultTo(0))
        // SQLite keeps bytes in a column of any type.
        .addColumn('grams', sql`bytea`)
        .execute();
      await store.schema
        .createIndex('audit_blocks_bare')
        .on('audit_blocks')
        .column('last')
        .where(sql.ref('grams'), 'is', null)
        .execute();
      for (const statement of lateEntries(store)) await statement.execute(store);
      const jobsWhere = (name: string, columns: readonly string[], where: string) =>
        sql`create index ${sql.ref(name)} on jobs (${sql.join(columns.map(column => sql.ref(column)))}) where ${sql.raw(where)}`;
      const indexes = [
        jobsWhere('jobs_open', ['team', 'person', 'revision', 'created_at', 'ended_at'], 'ended_at is null'),
        jobsWhere('jobs_ended', ['team', 'person', 'ended_at', 'state'], 'ended_at is not null'),
        jobsWhere('jobs_old', ['ended_at'], 'ended_at is not null'),
        jobsWhere('jobs_again', ['sent_at', 'ended_at'], "state in ('finished', 'unconfirmed')"),
      ];
      for (const index of indexes) await index.execute(store);
      await store.schema.createIndex('claims_job').on('claims').column('job').execute();
      // Each change of a job's revision would write it, and only jobs that have not ended are asked for by it.
      await store.schema.dropIndex('jobs_revision').execute();
    },
  },
  '2026-11-26-presets': {
    async up(store: Kysely<unknown>) {
      await store.schema
        .createTable('presets')
        .addColumn('id', 'text', column => column.primaryKey())
        .addColumn('team', 'text', column => column.notNull())
        .addColumn('scope', 'text', column => column.notNull())
        .addColumn('holder', 'text', column => column.notNull())
        .addColumn('operation', 'text', column => column.notNull())
        .addColumn('likeness', 'text', column => column.notNull())
        .addColumn('name', 'text', column => column.notNull())
        .addColumn('person', 'text', column => column.notNull())
        .addColumn('inputs', 'text', column => column.notNull())
        .addColumn('labels', 'text', column => column.notNull())
        .addColumn('revision', 'integer', column => column.notNull().defaultTo(1))
        .addColumn('created_at', 'bigint', column => column.notNull())
        .addColumn('used_at', 'bigint', column => column.notNull())
        // Of two people who save the same name at the same moment, one gets it.
        .addUniqueConstraint('presets_name', ['team', 'scope', 'holder', 'operation', 'likeness'])
        .execute();
      await store.schema.createIndex('presets_person').on('presets').columns(['team', 'person']).execute();
    },
  },
  '2026-11-27-plans': {
    async up(store: Kysely<unknown>) {
      const jobs = () => store.schema.alterTable('jobs');
      await jobs().addColumn('steps', 'text').execute();
      await jobs().addColumn('plan', 'text').execute();
      await jobs().addColumn('step', 'integer').execute();
      await sql`create index jobs_plan on jobs (plan, step) where plan is not null`.execute(store);
    },
  },
  '2026-11-28-leases': {
    async up(store: Kysely<unknown>) {
      await store.schema
        .createTable('leases')
        .addColumn('id', 'text', column => column.primaryKey())
        .addColumn('team', 'text', column => column.notNull())
        .addColumn('record', 'text', column => column.notNull())
        .addColumn('name', 'text')
        .addColumn('made_at', 'bigint')
        .addColumn('person', 'text', column => column.notNull())
        .addColumn('job', 'text')
        .addColumn('operation', 'text')
        .addColumn('channel', 'text', column => column.notNull())
        .addColumn('since', 'bigint', column => column.notNull())
        .addColumn('wish', 'text')
        .addColumn('ends_at', 'bigint')
        .addColumn('set_at', 'bigint', column => column.notNull())
        .addColumn('state', 'text', column => column.notNull())
        .addColumn('warned', 'bigint')
        .addColumn('grace_until', 'bigint')
        .addColumn('rule', 'text')
        .addColumn('reason', 'text')
        .addColumn('end_job', 'text')
        .addColumn('ended_at', 'bigint')
        .addColumn('revision', 'integer', column => column.notNull())
        .addColumn('due_at', 'bigint')
        .addColumn('locked_until', 'bigint', column => column.notNull())
        .addColumn('tries', 'integer', column => column.notNull())
        .execute();
      await store.schema.createIndex('leases_due').on('leases').column('due_at').execute();
      await store.schema.createIndex('leases_ended').on('leases').column('ended_at').execute();
      await store.schema.createIndex('leases_team').on('leases').columns(['team', 'ends_at']).execute();
      await store.schema
        .createTable('notices')
        .addColumn('id', 'text', column => column.primaryKey())
        .addColumn('subject', 'text', column => column.notNull())
        .addColumn('team', 'text', column => column.notNull())
        .addColumn('kind', 'text', column => column.notNull())
        .addColumn('data', 'text', column => column.notNull())
        .addColumn('outcome', 'text')
        .addColumn('person', 'text')
        .addColumn('channel', 'text')
        .addColumn('job', 'text')
        .addColumn('created_at', 'bigint', column => column.notNull())
        .addColumn('revision', 'integer', column => column.notNull())
        .addColumn('shown', 'integer', column => column.notNull())
        .addColumn('place', 'text')
        .addColumn('ts', 'text')
        .addColumn('posting', 'text')
        .addColumn('tell_at', 'bigint')
        .addColumn('locked_until', 'bigint', column => column.notNull())
        .addColumn('tries', 'integer', column => column.notNull())
        .execute();
      await store.schema.createIndex('notices_tell').on('notices').column('tell_at').execute();
      await store.schema.createIndex('notices_subject').on('notices').column('subject').execute();
    },
  },
  '2026-11-29-impact': {
    async up(store: Kysely<unknown>) {
      await store.schema.alterTable('jobs').addColumn('impact', 'text').execute();
    },
  },
  '2026-11-30-required-fields': {
    async up(store: Kysely<unknown>) {
      await store.schema
        .createTable('required_fields')
        .addColumn('service', 'text', column => column.notNull())
        .addColumn('operation', 'text', column => column.notNull())
        .addColumn('vendor', 'text', column => column.notNull())
        .addColumn('field', 'text', column => column.notNull())
        .addColumn('seen_at', 'bigint', column => column.notNull())
        .addPrimaryKeyConstraint('required_fields_one', ['service', 'operation', 'vendor', 'field'])
        .execute();
    },
  },
  '2026-12-01-schedules': {
    async up(store: Kysely<unknown>) {
      for (const column of ['schedule', 'runs_as', 'tells'])
        await store.schema.alterTable('jobs').addColumn(column, 'text').execute();
      await store.schema
        .createTable('schedules')
        .addColumn('id', 'text', column => column.primaryKey())
        .addColumn('team', 'text', column => column.notNull())
        .addColumn('person', 'text', column => column.notNull())
        .addColumn('channel', 'text', column => column.notNull())
        .addColumn('kind', 'text', column => column.notNull())
        .addColumn('operation', 'text', column => column.notNull())
        .addColumn('inputs', 'text', column => column.notNull())
        .addColumn('labels', 'text', column => column.notNull())
        .addColumn('target', 'text', column => column.notNull())
        .addColumn('target_name', 'text')
        .addColumn('made_at', 'bigint')
        .addColumn('purpose', 'text')
        .addColumn('rhythm', 'text', column => column.notNull())
        .addColumn('zone', 'text', column => column.notNull())
        .addColumn('tells', 'text', column => column.notNull())
        .addColumn('runs_as', 'text', column => column.notNull())
        .addColumn('request', 'text')
        .addColumn('digest', 'text')
        .addColumn('approved_by', 'text')
        .addColumn('approved_at', 'bigint')
        .addColumn('state', 'text', column => column.notNull())
        .addColumn('reason', 'text')
        .addColumn('created_at', 'bigint', column => column.notNull())
        .addColumn('ended_at', 'bigint')
        .addColumn('next_at', 'bigint')
        .addColumn('last_at', 'bigint')
        .addColumn('last_job', 'text')
        .addColumn('last_outcome', 'text')
        .addColumn('failures', 'integer', column => column.notNull())
        .addColumn('revision', 'integer', column => column.notNull())
        .addColumn('due_at', 'bigint')
        .addColumn('locked_until', 'bigint', column => column.notNull())
        .addColumn('tries', 'integer', column => column.notNull())
        .execute();
      await store.schema.createIndex('schedules_due').on('schedules').column('due_at').execute();
      await store.schema.createIndex('schedules_team').on('schedules').columns(['team', 'next_at']).execute();
    },
  },
  '2026-12-02-alerts': {
    async up(store: Kysely<unknown>) {
      await store.schema.alterTable('notices').addColumn('thread', 'text').execute();
      await store.schema
        .createTable('subscriptions')
        .addColumn('id', 'text', column => column.primaryKey())
        .addColumn('team', 'text', column => column.notNull())
        .addColumn('channel', 'text', column => column.notNull())
        .addColumn('person', 'text', column => column.notNull())
        .addColumn('eyes', 'text', column => column.notNull())
        .addColumn('kinds', 'text', column => column.notNull())
        .addColumn('state', 'text', column => column.notNull())
        .addColumn('reason', 'text')
        .addColumn('since', 'bigint', column => column.notNull())
        .addColumn('since_turn', 'integer', column => column.notNull())
        .addColumn('zone', 'text')
        .addColumn('remind_at', 'bigint')
        .addColumn('revision', 'integer', column => column.notNull())
        .execute();
      await store.schema.createIndex('subscriptions_eyes').on('subscriptions').column('eyes').execute();
      await store.schema
        .createTable('eyes')
        .addColumn('id', 'text', column => column.primaryKey())
        .addColumn('team', 'text', column => column.notNull())
        .addColumn('person', 'text', column => column.notNull())
        .addColumn('login', 'text')
        .addColumn('turn', 'integer', column => column.notNull())
        .addColumn('looked_at', 'bigint')
        .addColumn('due_at', 'bigint')
        .addColumn('revision', 'integer', column => column.notNull())
        .addColumn('locked_until', 'bigint', column => column.notNull())
        .addColumn('tries', 'integer', column => column.notNull())
        .execute();
      await store.schema.createIndex('eyes_due').on('eyes').column('due_at').execute();
      await store.schema
        .createTable('sights')
        .addColumn('eyes', 'text', column => column.notNull())
        .addColumn('record', 'text', column => column.notNull())
        .addColumn('name', 'text')
        .addColumn('made_at', 'bigint')
        .addColumn('since', 'bigint', column => column.notNull())
        .addColumn('gone_at', 'bigint')
        .addColumn('troubles', 'text', column => column.notNull())
        .addColumn('news', 'integer')
        .addPrimaryKeyConstraint('sights_one', ['eyes', 'record'])
        .execute();
      await store.schema.createIndex('sights_news').on('sights').columns(['eyes', 'news']).execute();
      await store.schema
        .createTable('alerts')
        .addColumn('id', 'text', column => column.primaryKey())
        .addColumn('team', 'text', column => column.notNull())
        .addColumn('channel', 'text', column => column.notNull())
        .addColumn('eyes', 'text', column => column.notNull())
        .addColumn('turn', 'integer', column => column.notNull())
        .addColumn('at', 'bigint', column => column.notNull())
        .addColumn('items', 'text', column => column.notNull())
        .addColumn('counts', 'text', column => column.notNull())
        .addColumn('snoozed_until', 'bigint')
        .addColumn('snoozed_by', 'text')
        .addColumn('taken_by', 'text')
        .addColumn('ended_at', 'bigint')
        .addColumn('revision', 'integer', column => column.notNull())
        .execute();
      await store.schema.createIndex('alerts_eyes').on('alerts').columns(['eyes', 'ended_at']).execute();
      await store.schema.createIndex('alerts_channel').on('alerts').column('channel').execute();
    },
  },
  '2026-12-03-older-workspaces': {
    async up(store: Kysely<unknown>) {
      await store.schema
        .createTable('older_workspaces')
        .addColumn('team', 'text', column => column.primaryKey())
        .addColumn('refused_at', 'bigint', column => column.notNull())
        .execute();
    },
  },
  '2026-12-04-runs': {
    async up(store: Kysely<unknown>) {
      await sql`create index jobs_schedule on jobs (schedule, created_at) where schedule is not null`.execute(store);
      const isLeftOut = sql.raw<boolean>("event in ('run missed', 'run skipped', 'run waits')");
      await store.schema.createIndex('audit_runs').on('audit').columns(['team', 'at']).where(isLeftOut).execute();
    },
  },
  '2026-12-05-threads': {
    async up(store: Kysely<unknown>) {
      for (const table of ['jobs', 'uses', 'links'])
        await store.schema.alterTable(table).addColumn('thread', 'text').execute();
      await store.schema
        .createTable('heard')
        .addColumn('id', 'text', column => column.primaryKey())
        .addColumn('team', 'text', column => column.notNull())
        .addColumn('kind', 'text', column => column.notNull())
        .addColumn('heard_at', 'bigint', column => column.notNull())
        .execute();
      await store.schema.createIndex('heard_time').on('heard').column('heard_at').execute();
    },
  },
  '2026-12-06-workflows': {
    async up(store: Kysely<unknown>) {
      await store.schema.alterTable('jobs').addColumn('execution', 'text').execute();
      await store.schema
        .createTable('executions')
        .addColumn('id', 'text', column => column.primaryKey())
        .addColumn('team', 'text', column => column.notNull())
        .addColumn('execution', 'text', column => column.notNull())
        .addColumn('run', 'text', column => column.notNull())
        .addColumn('step', 'text', column => column.notNull())
        .addColumn('inputs', 'text', column => column.notNull())
        .addColumn('declared', 'text', column => column.notNull())
        .addColumn('person', 'text')
        .addColumn('state', 'text', column => column.notNull())
        .addColumn('hold', 'text')
        .addColumn('grant_id', 'text')
        .addColumn('job', 'text')
        .addColumn('record', 'text')
        .addColumn('result', 'text')
        .addColumn('created_at', 'bigint', column => column.notNull())
        .addColumn('deadline_at', 'bigint', column => column.notNull())
        .addColumn('ended_at', 'bigint')
        .addColumn('revision', 'integer', column => column.notNull())
        .addColumn('due_at', 'bigint')
        .addColumn('locked_until', 'bigint', column => column.notNull())
        .addColumn('tries', 'integer', column => column.notNull())
        .execute();
      await store.schema.createIndex('executions_due').on('executions').column('due_at').execute();
      await store.schema.createIndex('executions_grant').on('executions').columns(['grant_id', 'state']).execute();
      await store.schema
        .createIndex('executions_person')
        .on('executions')
        .columns(['team', 'person', 'hold'])
        .execute();
      await store.schema
        .createTable('grants')
        .addColumn('id', 'text', column => column.primaryKey())
        .addColumn('team', 'text', column => column.notNull())
        .addColumn('person', 'text', column => column.notNull())
        .addColumn('step', 'text', column => column.notNull())
        .addColumn('workflow', 'text', column => column.notNull())
        .addColumn('channel', 'text', column => column.notNull())
        .addColumn('about', 'text', column => column.notNull())
        .addColumn('runs_as', 'text')
        .addColumn('state', 'text', column => column.notNull())
        .addColumn('request', 'text')
        .addColumn('approved_by', 'text')
        .addColumn('created_at', 'bigint', column => column.notNull())
        .addColumn('decided_at', 'bigint')
        .addColumn('used_at', 'bigint')
        .addColumn('revision', 'integer', column => column.notNull())
        .execute();
      await store.schema.createIndex('grants_person').on('grants').columns(['team', 'person', 'state']).execute();
    },
  },
  '2026-12-07-installations': {
    async up(store: Kysely<unknown>) {
      await store.schema
        .createTable('installations')
        .addColumn('team', 'text', column => column.primaryKey())
        .addColumn('name', 'text')
        .addColumn('app', 'text')
        .addColumn('bot', 'text', column => column.notNull())
        .addColumn('bot_user', 'text', column => column.notNull())
        .addColumn('person', 'text', column => column.notNull())
        .addColumn('token', 'text')
        .addColumn('expires_at', 'bigint')
        .addColumn('created_at', 'bigint', column => column.notNull())
        .addColumn('ended_at', 'bigint')
        .addColumn('locked_until', 'bigint', column => column.notNull().defaultTo(0))
        .execute();
      await store.schema
        .createTable('used_states')
        .addColumn('id', 'text', column => column.primaryKey())
        .addColumn('expires_at', 'bigint', column => column.notNull())
        .execute();
    },
  },
  '2026-12-08-refused-kinds': {
    async up(store: Kysely<unknown>) {
      await store.schema.alterTable('older_workspaces').addColumn('kinds', 'text').execute();
    },
  },
  '2026-12-08-timings': {
    async up(store: Kysely<unknown>) {
      await sql`create index jobs_timed on jobs (team, ended_at, id) where state = 'succeeded'`.execute(store);
    },
  },
  '2026-12-09-first-steps': {
    async up(store: Kysely<unknown>) {
      await store.schema.alterTable('homes').addColumn('steps', 'text').execute();
    },
  },
  '2026-12-10-tell-holder': {
    async up(store: Kysely<unknown>) {
      await store.schema.alterTable('jobs').addColumn('tell_holder', 'text').execute();
    },
  },
  '2026-12-11-arrivals': {
    async up(store: Kysely<unknown>) {
      await store.schema.alterTable('notices').addColumn('arrived_at', 'bigint').execute();
    },
  },
};

/**
 * Makes the statements for a trigger that empties a block of the trail's index when an entry is added inside of it,
 * whichever release adds it. In PostgreSQL the block may be cut while the trigger waits for its row; then it is looked
 * for again.
 */
function lateEntries(store: Kysely<unknown>) {
  const isLate = 'new.id <= (select max(last) from audit_blocks)';
  const empty = `update audit_blocks set grams = null, late = late + 1
    where last = (select min(last) from audit_blocks where last >= new.id) and lower < new.id;`;
  if (!(store.getExecutor().adapter instanceof PostgresAdapter))
    return [sql.raw(`create trigger audit_late after insert on audit when ${isLate} begin ${empty} end`)];
  return [
    // A filter of some kilobytes is read most quickly in its row.
    sql.raw('alter table audit_blocks alter column grams set storage main'),
    sql.raw(`create function audit_late() returns trigger language plpgsql as $$
      begin
        for tries in 1..9 loop
          exit when (${isLate}) is not true;
          ${empty}
          exit when found;
        end loop;
        return null;
      end $$`),
    sql.raw('create trigger audit_late after insert on audit for each row execute function audit_late()'),
  ];
}

/**
 * Brings a store to this release's schema. If several processes do so at once, one does it and the others wait.
 * @throws {StoreFault} where that fails; its sentence names the store and the setting (`key`) that chooses it
 */
export async function migrate(store: Store, name: string, key: 'DATA_DIR' | 'DATABASE_URL'): Promise<void> {
  const migrator = new Migrator({ db: store, provider: { getMigrations: async () => migrations } });
  const { error } = await migrator.migrateToLatest();
  if (!error) return;
  const newer = error instanceof Error && /corrupted migrations/i.test(error.message);
  throw new StoreFault(
    newer
      ? `The store ${name} was written by a newer release of Dolly. Start that release, or name another ${key}.`
      : `The store ${name} cannot be brought to this release's schema. Restore it from a backup, or name another ${key}.`,
    { cause: error },
  );
}
