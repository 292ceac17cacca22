import type { Migration } from '../migrate.ts'

/**
 * What people asked agents to remember (contract/behaviour/chat.md section 7, "Memories"). Whose it is always stands beside it:
 * `embed_tenant_id` is that of an external user, so that nothing is read across tenants.
 */
const statements = `
create table agent_memories (
  id bigint generated always as identity primary key,
  account_id bigint not null,
  deployment_id bigint not null,
  space text not null,
  user_id bigint not null,
  is_external boolean not null,
  embed_tenant_id bigint,
  text text not null,
  created_at timestamptz(3) not null,
  foreign key (account_id, deployment_id) references deployments (account_id, id) on delete cascade,
  foreign key (account_id, user_id) references users (account_id, id) on delete cascade
);
create unique index agent_memories_text on agent_memories (deployment_id, space, user_id, md5(lower(text)));
create index agent_memories_space on agent_memories (deployment_id, space, id);
`

export const agentMemories: Migration = { name: '0014-agent-memories', sql: statements }
