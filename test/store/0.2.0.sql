CREATE TABLE "kysely_migration" ("name" varchar(255) not null primary key, "timestamp" varchar(255) not null);
CREATE TABLE "kysely_migration_lock" ("id" varchar(255) not null primary key, "is_locked" integer default 0 not null);
CREATE TABLE jobs (
    id text primary key, request_key text not null unique, team text not null, person text not null,
    operation text not null, inputs text not null, labels text not null, target text not null, target_name text,
    state text not null, reason text, hold text, no_answer text,
    baseline text, evidence text, claimed text,
    created_at bigint not null, sent_at bigint, ended_at bigint, deadline_at bigint,
    due_at bigint, looks integer default 0 not null, locked_until bigint default 0 not null, fence integer default 0 not null,
    channel text not null, thread text, place text, message_ts text, reply_ts text,
    revision integer default 1 not null, shown integer default 0 not null,
    tell_at bigint, tell_tries integer default 0 not null, tell_locked_until bigint default 0 not null, tell_holder text,
    posting text, posts text default '[]' not null,
    purpose text, login text, terms text, facts text, digest text, decisions text default '[]' not null,
    expires_at bigint, reminders integer default 0 not null, card_place text, card_ts text, emergency text,
    steps text, plan text, step integer, impact text, schedule text, rhythm text, zone text, runs_as text, tells text, execution text,
    takes_on text, takes_port integer, takes_name text, takes_path text, free_port integer, free_name text);
CREATE TABLE looks (
    job text primary key, team text not null, person text not null,
    due_at bigint not null, free_at bigint not null, looks integer not null, fence integer not null);
CREATE TABLE claims (
    record text not null, sign text not null, job text not null, name text, made_at bigint,
    primary key (record, sign));
CREATE TABLE audit (
    id text primary key, at bigint not null, team text not null, actor text not null, person text, login text,
    event text not null, operation text, target text, target_name text, job text, channel text, detail text,
    text text not null);
CREATE TABLE audit_blocks (
    last text primary key, lower text not null unique, oldest bigint, newest bigint,
    late integer default 0 not null, grams bytea);
CREATE TABLE credentials (
    team text not null, person text not null, username text not null, token text not null, created_at bigint not null,
    primary key (team, person));
CREATE TABLE links (
    id text primary key, team text not null, person text not null, channel text not null, thread text, intent text,
    expires_at bigint not null, tries integer default 0 not null);
CREATE TABLE tries (
    id text not null, about text not null, tried_at bigint not null,
    primary key (about, id));
CREATE TABLE homes (
    team text not null, person text not null, opened_at bigint not null, pages text not null, steps text not null,
    asked integer not null, seen text not null, digest text not null,
    next_at bigint not null, locked_until bigint not null, fence integer not null, tries integer not null,
    primary key (team, person));
CREATE TABLE inbox (
    id text primary key, team text not null, person text not null, channel text not null, thread text,
    action text not null, value text not null, created_at bigint not null);
CREATE TABLE heard (id text primary key, team text not null, kind text not null, heard_at bigint not null);
CREATE TABLE words (
    service text not null, team text not null, kind text not null, word text not null,
    stood integer not null, rested integer not null, passed integer not null, seen_at bigint not null,
    primary key (service, team, kind, word));
CREATE TABLE state_answers (
    service text not null, team text not null, kind text not null, word text not null, person text not null,
    login text not null, job text not null, record text not null, says text not null, approves integer not null,
    at bigint not null,
    primary key (service, team, kind, word, person, job));
CREATE TABLE required_fields (
    service text not null, operation text not null, vendor text not null, field text not null, seen_at bigint not null,
    primary key (service, operation, vendor, field));
CREATE TABLE older_workspaces (team text primary key, kinds text not null);
CREATE TABLE presets (
    id text primary key, team text not null, scope text not null, holder text not null, operation text not null,
    likeness text not null, name text not null, person text not null, inputs text not null, labels text not null,
    revision integer default 1 not null, created_at bigint not null, used_at bigint not null,
    unique (team, scope, holder, operation, likeness));
CREATE TABLE due (
    kind text not null, id text not null, team text not null, due_at bigint, set_at bigint not null,
    locked_until bigint not null, fence integer not null, tries integer not null,
    primary key (kind, id));
CREATE TABLE things (
    kind text not null, id text not null, team text not null, person text not null, channel text, subject text,
    state text not null, revision integer not null, planned_at bigint, waits_for text,
    created_at bigint not null, ended_at bigint, body text not null,
    primary key (kind, id));
CREATE TABLE outbox (
    id text primary key, subject text not null, team text not null, kind text not null, data text not null, outcome text,
    person text, channel text, job text, thread text, created_at bigint not null,
    revision integer not null, shown integer not null, place text, ts text, arrived_at bigint, posting text,
    is_news integer not null);
CREATE TABLE watchers (
    id text primary key, team text not null, person text not null, login text, turn integer not null,
    looked_at bigint);
CREATE TABLE sights (
    watcher text not null, record text not null, name text, made_at bigint, since bigint not null, gone_at bigint,
    backed_at bigint, place text, troubles text not null, news integer,
    primary key (watcher, record));
CREATE TABLE installations (
    team text primary key, name text, app text, bot text not null, bot_user text not null, person text not null,
    token text, expires_at bigint, created_at bigint not null, ended_at bigint, locked_until bigint default 0 not null);
CREATE TABLE used_states (id text primary key, expires_at bigint not null);
CREATE INDEX jobs_due on jobs (due_at);
CREATE INDEX jobs_tell on jobs (tell_at);
CREATE INDEX jobs_untold on jobs ((case when state = 'awaiting' then 0 when ended_at is not null then 2
  when message_ts is null or state <> 'running' then 3 else 8 end + case when tell_tries > 0 then 4 else 0 end), (case when message_ts is null and tell_tries = 0 then created_at else tell_at end)) where tell_at is not null;
CREATE INDEX jobs_rooms on jobs ((case when message_ts is null then coalesce(place, channel)
  when ended_at is not null and reply_ts is null then coalesce(place, channel) || ' end'
  when state = 'awaiting' and card_place is not null and card_ts is null then ''
  else team end), (case when state = 'awaiting' then 0 when ended_at is not null then 2
  when message_ts is null or state <> 'running' then 3 else 8 end + case when tell_tries > 0 then 4 else 0 end), (case when message_ts is null and tell_tries = 0 then created_at else tell_at end)) where tell_at is not null;
CREATE INDEX jobs_person on jobs (team, person, created_at);
CREATE INDEX jobs_claimed on jobs (claimed) where claimed is not null;
CREATE INDEX jobs_state on jobs (team, state);
CREATE INDEX jobs_target on jobs (team, target, state);
CREATE INDEX jobs_overlap on jobs (target, ended_at);
CREATE INDEX jobs_late on jobs ((ended_at + (ended_at - sent_at)), target) where state = 'unconfirmed' and claimed is null;
CREATE INDEX jobs_looks on jobs (team, person, due_at);
CREATE INDEX jobs_taking on jobs (team, takes_on, takes_port, takes_name, takes_path, ended_at) where ended_at is null and takes_on is not null;
CREATE INDEX jobs_taking_name on jobs (team, takes_on, takes_name) where ended_at is null and takes_name is not null;
CREATE UNIQUE INDEX jobs_free_port on jobs (team, takes_on, free_port) where free_port is not null;
CREATE UNIQUE INDEX jobs_free_name on jobs (team, takes_on, free_name) where free_name is not null;
CREATE INDEX jobs_unclaimed on jobs (operation, takes_on) where ended_at is null and claimed is null and sent_at is not null;
CREATE INDEX jobs_open on jobs (team, person, revision, created_at, ended_at) where ended_at is null;
CREATE INDEX jobs_ended on jobs (team, person, ended_at, state, plan) where ended_at is not null;
CREATE INDEX jobs_made on jobs (team, person, claimed) where claimed is not null;
CREATE INDEX jobs_old on jobs (ended_at) where ended_at is not null;
CREATE INDEX jobs_again on jobs (sent_at, ended_at) where state in ('finished', 'unconfirmed');
CREATE INDEX jobs_sent on jobs (sent_at) where state in ('sending', 'running') and ended_at is null;
CREATE INDEX jobs_account on jobs (team) where hold = 'sign-in' and runs_as = 'service';
CREATE INDEX jobs_plan on jobs (plan, step) where plan is not null;
CREATE INDEX jobs_schedule on jobs (schedule, created_at) where schedule is not null;
CREATE INDEX jobs_timed on jobs (team, ended_at, id) where state = 'succeeded';
CREATE INDEX looks_free on looks (free_at);
CREATE INDEX looks_person on looks (team, person);
CREATE INDEX claims_job on claims (job);
CREATE INDEX audit_team on audit (team, id);
CREATE INDEX audit_at on audit (at);
CREATE INDEX audit_runs on audit (team, at) where event in ('run missed', 'run skipped', 'run waits');
CREATE INDEX audit_blocks_bare on audit_blocks (last) where grams is null;
CREATE INDEX homes_opened on homes (opened_at);
CREATE INDEX heard_time on heard (heard_at);
CREATE INDEX presets_person on presets (team, person);
CREATE INDEX due_next on due (kind, due_at);
CREATE INDEX things_state on things (kind, state, team);
CREATE INDEX things_person on things (kind, team, person, state);
CREATE INDEX things_channel on things (kind, team, channel, state) where channel is not null;
CREATE INDEX things_subject on things (kind, subject, state) where subject is not null;
CREATE INDEX things_ended on things (kind, ended_at) where ended_at is not null;
CREATE INDEX things_waiting on things (waits_for) where waits_for is not null;
CREATE INDEX outbox_subject on outbox (subject, created_at);
CREATE INDEX outbox_open on outbox (subject) where outcome is null and is_news = 0;
CREATE INDEX sights_news on sights (watcher, news);
insert into kysely_migration (name, timestamp) values ('0.2.0-first', '2026-11-24T17:04:04.731Z');
insert into kysely_migration_lock (id, is_locked) values ('migration_lock', 0);
insert into jobs (id, request_key, team, person, operation, inputs, labels, target, target_name, state, created_at, due_at, looks, locked_until, fence, channel, revision, shown, tell_at, tell_tries, tell_locked_until, posts, login, terms, facts, digest, decisions, expires_at, reminders) values ('waits', 'request of waits', 'T1', 'U1', 'database.delete', '{"database":"MYSQL_LIVE_SERVER-1"}', '{"MYSQL_LIVE_SERVER-1":"orders"}', 'MYSQL_LIVE_SERVER-1', 'orders', 'awaiting', 1000, 1000, 0, 4000, 2, 'C1', 2, 0, 2000, 0, 0, '[]', 'ben', '{"rule":"all","approvals":1,"approvers":["U2"],"asker":{"users":[],"names":["ben"]}}', '[{"key":"name","label":"Name","value":"orders","compared":"orders"}]', 'd', '[]', 90000000, 0);
insert into jobs (id, request_key, team, person, operation, inputs, labels, target, target_name, state, created_at, sent_at, deadline_at, looks, locked_until, fence, channel, revision, shown, tell_at, tell_tries, tell_locked_until, posts, decisions, reminders) values ('runs', 'request of runs', 'T1', 'U1', 'database.refresh', '{"database":"MYSQL_LIVE_SERVER-1"}', '{"MYSQL_LIVE_SERVER-1":"orders"}', 'MYSQL_LIVE_SERVER-1', 'orders', 'running', 1000, 2000, 1800000, 9, 0, 12, 'C1', 3, 0, 2000, 0, 0, '[]', '[]', 0);
insert into jobs (id, request_key, team, person, operation, inputs, labels, target, target_name, state, claimed, created_at, sent_at, ended_at, deadline_at, looks, locked_until, fence, channel, revision, shown, tell_at, tell_tries, tell_locked_until, posts, decisions, reminders) values ('cloned', 'request of cloned', 'T1', 'U1', 'clone.create', '{"sourceDatabase":"MYSQL_LIVE_SERVER-1"}', '{"MYSQL_LIVE_SERVER-1":"orders"}', 'MYSQL_LIVE_SERVER-1', 'orders', 'succeeded', 'MYSQL_CLONE_SERVER-7', 1000, 2000, 5000, 1800000, 0, 0, 3, 'C1', 4, 0, 5000, 0, 0, '[]', '[]', 0);
insert into jobs (id, request_key, team, person, operation, inputs, labels, target, target_name, state, created_at, sent_at, deadline_at, due_at, looks, locked_until, fence, channel, revision, shown, tell_at, tell_tries, tell_locked_until, posts, decisions, reminders, steps, step) values ('plan', 'request of plan', 'T1', 'U1', 'database.teardown', '{"database":"MYSQL_LIVE_SERVER-1"}', '{"MYSQL_LIVE_SERVER-1":"orders"}', 'MYSQL_LIVE_SERVER-1', 'orders', 'running', 1000, 2000, 1800000, 1000, 0, 0, 2, 'C1', 2, 0, 2000, 0, 0, '[]', '[]', 0, '[{"operation":"database.delete","values":{"database":"MYSQL_LIVE_SERVER-1"},"labels":{},"target":"MYSQL_LIVE_SERVER-1","targetName":"orders"},{"operation":"database.delete","values":{"database":"MYSQL_LIVE_SERVER-1"},"labels":{},"target":"MYSQL_LIVE_SERVER-1","targetName":"orders"}]', 0);
insert into jobs (id, request_key, team, person, operation, inputs, labels, target, target_name, state, created_at, due_at, looks, locked_until, fence, channel, revision, shown, tell_tries, tell_locked_until, posts, login, decisions, reminders, plan, step, runs_as) values ('plan-0-1', 'request of plan-0-1', 'T1', 'U1', 'database.delete', '{"database":"MYSQL_LIVE_SERVER-1"}', '{"MYSQL_LIVE_SERVER-1":"orders"}', 'MYSQL_LIVE_SERVER-1', 'orders', 'new', 3000, 3000, 0, 0, 0, 'C1', 1, 0, 0, 0, '[]', 'ben', '[]', 0, 'plan', 0, 'service');
insert into looks (job, team, person, due_at, free_at, looks, fence) values ('runs', 'T1', 'U1', 10000, 10000, 10, 12);
insert into claims (record, sign, job) values ('MYSQL_CLONE_SERVER-7', '', 'cloned');
insert into audit (id, at, team, actor, person, event, operation, target, target_name, job, channel, text) values ('0000000003e8-0001-24da58e0', 1000, 'T1', 'U1', 'U1', 'asked', 'database.delete', 'MYSQL_LIVE_SERVER-1', 'orders', 'waits', 'C1', 'u1
database.delete
mysql_live_server-1
orders
waits
c1
u1
t1
asked');
insert into audit (id, at, team, actor, person, login, event, operation, target, target_name, job, channel, text) values ('0000000007d0-0002-e4667be1', 2000, 'T1', 'dolly', 'U1', 'ben', 'awaiting', 'database.delete', 'MYSQL_LIVE_SERVER-1', 'orders', 'waits', 'C1', 'u1
ben
database.delete
mysql_live_server-1
orders
waits
c1
dolly
t1
awaiting');
insert into audit (id, at, team, actor, person, event, operation, target, target_name, job, channel, text) values ('0000000003e8-0003-c689960a', 1000, 'T1', 'U1', 'U1', 'asked', 'database.refresh', 'MYSQL_LIVE_SERVER-1', 'orders', 'runs', 'C1', 'u1
database.refresh
mysql_live_server-1
orders
runs
c1
u1
t1
asked');
insert into audit (id, at, team, actor, person, event, operation, target, target_name, job, channel, text) values ('0000000007d0-0004-ff64df82', 2000, 'T1', 'dolly', 'U1', 'sending', 'database.refresh', 'MYSQL_LIVE_SERVER-1', 'orders', 'runs', 'C1', 'u1
database.refresh
mysql_live_server-1
orders
runs
c1
dolly
t1
sending');
insert into audit (id, at, team, actor, person, event, operation, target, target_name, job, channel, text) values ('0000000007d0-0005-1c54848c', 2000, 'T1', 'dolly', 'U1', 'running', 'database.refresh', 'MYSQL_LIVE_SERVER-1', 'orders', 'runs', 'C1', 'u1
database.refresh
mysql_live_server-1
orders
runs
c1
dolly
t1
running');
insert into audit (id, at, team, actor, person, event, operation, target, target_name, job, channel, text) values ('0000000003e8-0006-9d4ed0ec', 1000, 'T1', 'U1', 'U1', 'asked', 'clone.create', 'MYSQL_LIVE_SERVER-1', 'orders', 'cloned', 'C1', 'u1
clone.create
mysql_live_server-1
orders
cloned
c1
u1
t1
asked');
insert into audit (id, at, team, actor, person, event, operation, target, target_name, job, channel, text) values ('0000000007d0-0007-ac99bf66', 2000, 'T1', 'dolly', 'U1', 'sending', 'clone.create', 'MYSQL_LIVE_SERVER-1', 'orders', 'cloned', 'C1', 'u1
clone.create
mysql_live_server-1
orders
cloned
c1
dolly
t1
sending');
insert into audit (id, at, team, actor, person, event, operation, target, target_name, job, channel, text) values ('000000000bb8-0008-c18d0c9d', 3000, 'T1', 'dolly', 'U1', 'running', 'clone.create', 'MYSQL_LIVE_SERVER-1', 'orders', 'cloned', 'C1', 'u1
clone.create
mysql_live_server-1
orders
cloned
c1
dolly
t1
running');
insert into audit (id, at, team, actor, person, event, operation, target, target_name, job, channel, detail, text) values ('000000001388-0009-4f2ab519', 5000, 'T1', 'dolly', 'U1', 'succeeded', 'clone.create', 'MYSQL_LIVE_SERVER-1', 'orders', 'cloned', 'C1', '', 'u1
clone.create
mysql_live_server-1
orders
cloned
c1
dolly
t1
succeeded');
insert into audit (id, at, team, actor, person, event, operation, target, target_name, job, channel, text) values ('0000000003e8-000a-d87619fb', 1000, 'T1', 'U1', 'U1', 'asked', 'database.teardown', 'MYSQL_LIVE_SERVER-1', 'orders', 'plan', 'C1', 'u1
database.teardown
mysql_live_server-1
orders
plan
c1
u1
t1
asked');
insert into audit (id, at, team, actor, person, event, operation, target, target_name, job, channel, text) values ('0000000007d0-000b-0996ac79', 2000, 'T1', 'dolly', 'U1', 'running', 'database.teardown', 'MYSQL_LIVE_SERVER-1', 'orders', 'plan', 'C1', 'u1
database.teardown
mysql_live_server-1
orders
plan
c1
dolly
t1
running');
insert into audit (id, at, team, actor, person, login, event, operation, target, target_name, job, channel, detail, text) values ('000000000bb8-000c-74a6a306', 3000, 'T1', 'dolly', 'U1', 'ben', 'begun', 'database.delete', 'MYSQL_LIVE_SERVER-1', 'orders', 'plan-0-1', 'C1', 'step 1 of 2', 'u1
ben
database.delete
mysql_live_server-1
orders
plan-0-1
c1
step 1 of 2
dolly
t1
begun');
insert into audit (id, at, team, actor, person, event, target, target_name, job, channel, text) values ('000000001388-000d-da3b870f', 5000, 'T1', 'dolly', 'U1', 'lease set', 'MYSQL_CLONE_SERVER-7', 'shop', 'cloned', 'C1', 'u1
mysql_clone_server-7
shop
cloned
c1
dolly
t1
lease set');
insert into audit (id, at, team, actor, person, event, operation, target, target_name, channel, text) values ('0000000003e8-000e-96852769', 1000, 'T1', 'dolly', 'U1', 'schedule made', 'database.backup', 'MYSQL_LIVE_SERVER-1', 'orders', 'C1', 'u1
database.backup
mysql_live_server-1
orders
c1
dolly
t1
schedule made');
insert into audit (id, at, team, actor, person, login, event, operation, channel, detail, text) values ('0000000003e8-000f-41f97475', 1000, 'T1', 'U1', 'U1', 'ben', 'preset saved', 'clone.create', 'C1', 'Mine', 'u1
ben
clone.create
c1
mine
u1
t1
preset saved');
insert into audit (id, at, team, actor, person, login, event, channel, text) values ('0000000003e8-0010-6f9c4136', 1000, 'T1', 'U1', 'U1', 'ben', 'signed in', 'C1', 'u1
ben
c1
t1
u1
signed in');
insert into credentials (team, person, username, token, created_at) values ('T1', 'U1', 'ben', 'eyJhbGciOiJkaXIiLCJlbmMiOiJBMjU2R0NNIiwia2lkIjoiY1ZCcnBXbDFqZ3B5Iiwic3ViIjoiW1wiVDFcIixcIlUxXCJdIn0..WqcuekpzvR6uM8-6.-EMW4JC94wLcqLpLICtmYiHY_dgRrYoG1uqJRLehYEgrJ6OhZcSwbO32yaP2iWks.bMbQVVfpRFNHXNFocdtWuA', 1000);
insert into homes (team, person, opened_at, pages, steps, asked, seen, digest, next_at, locked_until, fence, tries) values ('T1', 'U1', 1000, '{}', 'open', 0, '', '', 0, 0, 0, 0);
insert into inbox (id, team, person, channel, action, value, created_at) values ('use', 'T1', 'U1', 'C1', 'command', 'eyJhbGciOiJkaXIiLCJlbmMiOiJBMjU2R0NNIiwia2lkIjoiY1ZCcnBXbDFqZ3B5Iiwic3ViIjoiW1wiVDFcIixcIlUxXCJdIn0..3HIhu8mf7vtdOcDh.GA1N7w.wQcV08d5ziaYNa19jZkDDw', 1000);
insert into required_fields (service, operation, vendor, field, seen_at) values ('https://service.example', 'clone.create', '', 'port', 1000);
insert into presets (id, team, scope, holder, operation, likeness, name, person, inputs, labels, revision, created_at, used_at) values ('preset', 'T1', 'me', 'U1', 'clone.create', 'rnine', 'Mine', 'U1', '{"port":"3310"}', '{}', 1, 1000, 1000);
insert into due (kind, id, team, due_at, set_at, locked_until, fence, tries) values ('lease', 'T1 MYSQL_CLONE_SERVER-7', 'T1', 50000, 5000, 0, 0, 0);
insert into due (kind, id, team, set_at, locked_until, fence, tries) values ('consent', 'digest', 'T1', 1000, 0, 0, 0);
insert into due (kind, id, team, due_at, set_at, locked_until, fence, tries) values ('execution', 'T1 Fx1', 'T1', 7000, 7000, 0, 0, 0);
insert into due (kind, id, team, due_at, set_at, locked_until, fence, tries) values ('notice', 'warning', 'T1', 6000, 6000, 0, 0, 0);
insert into due (kind, id, team, due_at, set_at, locked_until, fence, tries) values ('schedule', 'nightly', 'T1', 60000, 1000, 0, 0, 0);
insert into due (kind, id, team, due_at, set_at, locked_until, fence, tries) values ('use', 'use', 'T1', 1000, 1000, 21000, 0, 0);
insert into things (kind, id, team, person, channel, subject, state, revision, planned_at, created_at, body) values ('lease', 'T1 MYSQL_CLONE_SERVER-7', 'T1', 'U1', 'C1', 'MYSQL_CLONE_SERVER-7', 'kept', 1, 50000, 5000, '{"record":"MYSQL_CLONE_SERVER-7","name":"shop","madeAt":900,"job":"cloned","operation":"clone.create","channel":"C1","since":5000,"wish":null,"endsAt":50000,"setAt":5000,"warned":null,"graceUntil":null,"rule":null,"reason":null,"endJob":null}');
insert into things (kind, id, team, person, state, revision, created_at, ended_at, body) values ('consent', 'digest', 'T1', 'U1', 'asked', 1, 1000, 1000, '{"step":"back_up","workflow":"Nightly","channel":"C1","about":{"title":"Back up a database","asks":"back up orders","target":"MYSQL_LIVE_SERVER-1","targetName":"orders","lines":[]},"runsAs":null,"request":null,"approvedBy":[],"decidedAt":null,"usedAt":null}');
insert into things (kind, id, team, person, state, revision, planned_at, created_at, body) values ('execution', 'T1 Fx1', 'T1', 'U1', 'asked', 1, 7000, 7000, '{"execution":"Fx1","run":"Wx1","step":"back_up","inputs":{"database":"orders"},"declared":["outcome"],"consent":null,"job":null,"record":null,"result":null,"deadlineAt":90000000}');
insert into things (kind, id, team, person, channel, subject, state, revision, planned_at, created_at, body) values ('schedule', 'nightly', 'T1', 'U1', 'C1', 'MYSQL_LIVE_SERVER-1', 'on', 1, 60000, 1000, '{"channel":"C1","kind":"job","operation":"database.backup","values":{"database":"MYSQL_LIVE_SERVER-1"},"labels":{},"target":"MYSQL_LIVE_SERVER-1","targetName":"orders","madeAt":null,"purpose":null,"rhythm":"{\"every\":\"day\",\"at\":\"02:00\"}","zone":"Europe/Berlin","tells":"all","runsAs":"owner","request":null,"digest":null,"approvedBy":[],"approvedAt":null,"reason":null,"lastAt":null,"lastJob":null,"lastOutcome":null,"failures":0}');
insert into outbox (id, subject, team, kind, data, person, created_at, revision, shown, is_news) values ('warning', 'T1 lease', 'T1', 'lease', '{}', 'U1', 6000, 1, 0, 0);
-- SQLite alone
CREATE TRIGGER audit_late after insert on audit when new.id <= (select max(last) from audit_blocks) begin update audit_blocks set grams = null, late = late + 1
    where last = (select min(last) from audit_blocks where last >= new.id) and lower < new.id; end;
-- PostgreSQL alone
alter table audit_blocks alter column grams set storage main;
CREATE OR REPLACE FUNCTION public.audit_late()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
      begin
        for tries in 1..9 loop
          exit when (new.id <= (select max(last) from audit_blocks)) is not true;
          update audit_blocks set grams = null, late = late + 1
    where last = (select min(last) from audit_blocks where last >= new.id) and lower < new.id;
          exit when found;
        end loop;
        return null;
      end $function$
;
CREATE TRIGGER audit_late AFTER INSERT ON public.audit FOR EACH ROW EXECUTE FUNCTION audit_late();
