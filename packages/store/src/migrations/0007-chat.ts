import type { Migration } from '../migrate.ts'

/**
 * Chat threads, their turns and what was streamed of them (SPEC, "Chat thread streaming"). Events are only ever added; those of an
 * attempt that died are marked and not shown any more. A thread has one running turn at most, which the index decides, on however many nodes.
 */
const statements = `
alter table deployments add column service_auth_enabled boolean not null default false;

create table chat_threads (
  id text primary key,
  account_id bigint not null,
  deployment_id bigint not null,
  user_id bigint not null,
  agent_id bigint,
  start_key bytea,
  title text not null,
  first_message text not null,
  memo jsonb,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  unique (account_id, id),
  foreign key (account_id, deployment_id) references deployments (account_id, id) on delete cascade,
  foreign key (account_id, user_id) references users (account_id, id) on delete cascade
);
create unique index chat_threads_start on chat_threads (deployment_id, user_id, start_key) where start_key is not null;
create index chat_threads_owner on chat_threads (user_id, deployment_id, updated_at, id);
create index chat_threads_deployment on chat_threads (deployment_id, updated_at, id);
create index chat_threads_account on chat_threads (account_id, updated_at, id);

create table chat_turns (
  id text primary key,
  account_id bigint not null,
  thread_id text not null,
  number integer not null,
  message_id text not null,
  status text not null check (status in ('running', 'suspended', 'answered', 'failed', 'aborted', 'abandoned')),
  attempt integer not null default 1,
  node text,
  input text not null,
  images jsonb not null default '[]',
  checkpoint jsonb,
  answer text,
  usage jsonb,
  rating text check (rating in ('up', 'down')),
  feedback text,
  started_at timestamptz(3) not null default now(),
  suspended_at timestamptz(3),
  ended_at timestamptz(3),
  unique (thread_id, number),
  unique (thread_id, message_id),
  unique (account_id, id),
  foreign key (account_id, thread_id) references chat_threads (account_id, id) on delete cascade
);
create unique index chat_turns_running on chat_turns (thread_id) where status = 'running';
create index chat_turns_node on chat_turns (node) where status = 'running';

create table chat_events (
  account_id bigint not null,
  thread_id text not null,
  turn_id text not null,
  sort bigint not null,
  attempt integer not null,
  kind text not null check (kind in ('user', 'delta', 'tool', 'tool_result', 'answer', 'final', 'error')),
  line text not null,
  superseded boolean not null default false,
  primary key (thread_id, sort),
  foreign key (account_id, thread_id) references chat_threads (account_id, id) on delete cascade,
  foreign key (account_id, turn_id) references chat_turns (account_id, id) on delete cascade
);
create index chat_events_turn on chat_events (turn_id, sort);

create table chat_nodes (
  node text primary key,
  seen_at timestamptz not null
);
`

export const chat: Migration = { name: '0007-chat', sql: statements }
