/**
 * Every error that the platform API answers: one code, one HTTP status, one sentence.
 *
 * The sentence says what is wrong with which value and what to do. Nothing here holds SQL, a stack or a secret.
 */
const table = {
  invalid_request: [400, (d: { problems: string }) => d.problems],
  invalid_json: [400, (d: { reason: string }) => `The body is not valid JSON: ${d.reason}. Send one JSON object.`],
  unsupported_media_type: [
    415,
    (d: { received: string; expected: string }) =>
      `Content-Type ${quote(d.received)} is not accepted here. Send ${d.expected}.`,
  ],
  body_too_large: [413, (d: { limit: string }) => `The body is larger than ${d.limit}. Send it in several requests.`],
  json_too_deep: [400, (d: { limit: number }) => `The JSON nests deeper than ${d.limit} levels. Flatten it.`],

  not_authenticated: [
    401,
    (d: { reason: string }) => `${d.reason} Send "Authorization: Api-Key <key>" or "Authorization: Bearer <token>".`,
  ],
  permission_missing: [
    403,
    (d: { permission: string; deployment?: number | string }) =>
      `This needs the permission ${d.permission}${
        d.deployment === undefined ? '' : ` on deployment ${d.deployment}`
      }. An administrator can grant it.`,
  ],
  admin_required: [403, () => 'This needs an administrator. Use the API key or account of one.'],
  deployment_out_of_scope: [
    403,
    (d: { deployment: number | string }) =>
      `This API key is scoped to other deployments than ${d.deployment}. Use a key without that limit.`,
  ],

  route_not_found: [
    404,
    (d: { method: string; path: string }) =>
      `There is no ${d.method} ${d.path}. GET /api/v1/spec lists every operation.`,
  ],
  method_not_allowed: [
    405,
    (d: { method: string; path: string; allowed: string }) =>
      `${d.path} does not take ${d.method}. It takes ${d.allowed}.`,
  ],
  deployment_not_found: [
    404,
    (d: { deployment: number | string }) =>
      `There is no deployment ${d.deployment}. GET /api/v1/deployments lists those you can see.`,
  ],
  branch_not_found: [
    404,
    (d: { branch: string }) =>
      `There is no branch ${quote(d.branch)}. GET /build/api/v1/deployments/{deploymentId}/branches lists them.`,
  ],
  environment_not_found: [
    404,
    (d: { environment: number }) =>
      `There is no environment ${d.environment}. GET /api/v1/deployments/{deploymentId}/environments lists them.`,
  ],
  file_not_found: [
    404,
    (d: { path: string; branch: string }) => `There is no file ${quote(d.path)} on branch ${quote(d.branch)}.`,
  ],
  api_key_not_found: [
    404,
    (d: { id: string }) => `There is no API key ${quote(d.id)}. GET /api/v1/api-keys lists them.`,
  ],
  user_not_found: [404, (d: { id: number }) => `There is no user ${d.id}. GET /api/v1/users lists them.`],
  upload_not_found: [
    404,
    (d: { id: string }) =>
      `There is no open upload transaction ${quote(d.id)} of yours. Start one with POST …/data-model/upload/start.`,
  ],

  agent_not_found: [
    404,
    (d: { agent: number | string }) =>
      `There is no agent ${typeof d.agent === 'number' ? d.agent : quote(d.agent)}. GET /api/v1/deployments/{deploymentId}/agents lists them.`,
  ],
  agent_not_configured: [
    404,
    (d: { agent: string; branch: string }) =>
      `The files of branch ${quote(d.branch)} do not describe the agent ${quote(d.agent)}. Add it under "agents" of a file below agents/, or use another agent.`,
  ],
  agents_invalid: [
    400,
    (d: { branch: string; problem: string }) =>
      `The agents of branch ${quote(d.branch)} can't be used: ${d.problem}. Validate the branch for all that is wrong.`,
  ],
  agent_space_not_found: [
    404,
    (d: { space: string; names: readonly string[] }) =>
      `There is no space ${quote(d.space)} on this branch. It has ${enumerate(d.names)}.`,
  ],
  evaluation_not_found: [
    404,
    (d: { id: number; deployment: number }) =>
      `There is no evaluation ${d.id} of deployment ${d.deployment}. POST /api/v1/deployments/{deploymentId}/evaluations starts one.`,
  ],
  eval_questions_missing: [
    400,
    (d: { space: string; branch: string; file?: string | undefined }) =>
      `${d.file === undefined ? 'No file' : `The file ${quote(d.file)}`} below agents/ on branch ${quote(d.branch)} has questions for the space ${quote(d.space)}. Write them under "eval_questions" of agents/eval_questions.yml.`,
  ],
  eval_too_many: [
    409,
    (d: { limit: number }) =>
      `${d.limit} evaluations of this deployment are waiting or running. Wait until one has ended.`,
  ],

  branch_mismatch: [
    400,
    (d: { branchId: number; branchName: string }) =>
      `branchId ${d.branchId} and branchName ${quote(d.branchName)} name different branches. Send one of them.`,
  ],
  branch_name_invalid: [
    400,
    (d: { branch: string; reason: string }) => `${quote(d.branch)} cannot be the name of a branch: ${d.reason}.`,
  ],
  branch_exists: [
    409,
    (d: { branch: string }) => `There is a branch ${quote(d.branch)} already. Choose another name or use that branch.`,
  ],
  branch_not_dev_mode: [
    400,
    (d: { branch: string }) =>
      `Branch ${quote(d.branch)} is not a dev-mode branch. Files are written on a personal dev- branch: enter dev mode on ${quote(
        d.branch,
      )} first (POST …/dev-mode) and write to the branch that it names.`,
  ],
  branch_not_yours: [
    403,
    (d: { branch: string }) =>
      `Branch ${quote(d.branch)} is somebody else's personal dev branch. Enter dev mode to get your own.`,
  ],
  branch_is_deploy_branch: [
    400,
    (d: { branch: string; action: string }) =>
      `Branch ${quote(d.branch)} is the deploy branch and cannot be ${d.action}. Change deployBranchName in the settings first.`,
  ],
  branch_not_shared: [
    400,
    (d: { branch: string }) =>
      `Only a shared branch has a staging environment; ${quote(d.branch)} is the deploy branch or a personal dev branch.`,
  ],
  branch_has_no_parent: [
    400,
    (d: { branch: string }) => `Branch ${quote(d.branch)} has no parent branch to merge into.`,
  ],
  branch_changed: [
    409,
    (d: { branch: string }) =>
      `Branch ${quote(d.branch)} changed while this request was running and nothing was written. Send it again.`,
  ],
  dev_mode_inactive: [
    400,
    () =>
      'No branch was given and this credential has no open dev-mode session. Send branchName or enter dev mode first.',
  ],
  deploy_branch_read_only: [
    403,
    (d: { branch: string }) =>
      `Branch ${quote(d.branch)} takes no direct commits (deployBranchReadOnly). Commit to a shared branch and merge it.`,
  ],
  deploy_branch_merge_refused: [
    403,
    (d: { branch: string }) =>
      `Merging into ${quote(d.branch)} is switched off (deployBranchMergeAllowed). An administrator can allow it.`,
  ],
  merge_conflict: [
    409,
    (d: { branch: string; into: string; paths: readonly string[] }) =>
      `${quote(d.branch)} and ${quote(d.into)} both changed ${d.paths.slice(0, 5).join(', ')}${
        d.paths.length > 5 ? ` and ${d.paths.length - 5} more` : ''
      }. Nothing was changed. Bring those files into the form you want on ${quote(
        d.branch,
      )} and send the request again with "resolveMergeConflict": true.`,
  ],
  path_invalid: [400, (d: { path: string; reason: string }) => `Path ${quote(d.path)} is refused: ${d.reason}.`],
  file_invalid: [400, (d: { path: string; reason: string }) => `File ${quote(d.path)} is refused: ${d.reason}.`],
  too_many_files: [
    400,
    (d: { count: number; limit: number }) =>
      `${d.count} files in one request are more than the ${d.limit} allowed. Send them in several, or use an upload transaction.`,
  ],
  project_too_large: [
    400,
    (d: { limit: number }) =>
      `The branch would have more than the ${d.limit} files that a project may have. Remove some first, or leave out folders that are no data model.`,
  ],
  answer_too_large: [
    400,
    (d: { branch: string; limit: string }) =>
      `The files on branch ${quote(d.branch)} are larger together than the ${d.limit} of one answer. Page with first, or list them without withContent.`,
  ],
  upload_finished: [
    409,
    (d: { id: string }) => `Upload transaction ${quote(d.id)} is finished already. Start a new one.`,
  ],
  upload_incomplete: [
    400,
    (d: { path: string }) =>
      `File ${quote(d.path)} is listed in "files" but was neither uploaded in this transaction nor is on the branch with that hash. Upload it first.`,
  ],
  deploy_mode_not_cli: [
    409,
    (d: { deployment: number }) =>
      `Deployment ${d.deployment} has deploy mode git, so files are not uploaded to it. Set deployMode to cli with PUT /api/v1/deployments/${d.deployment}, or upload to your dev branch.`,
  ],

  folder_not_found: [
    404,
    (d: { folder: number }) =>
      `There is no folder ${d.folder}. GET /api/v1/deployments/{deploymentId}/folders lists those you can see.`,
  ],
  workbook_not_found: [
    404,
    (d: { workbook: number | string }) =>
      `There is no workbook ${d.workbook}. GET /api/v1/deployments/{deploymentId}/workbooks lists those you can see.`,
  ],
  report_not_found: [
    404,
    (d: { report: number | string }) =>
      `There is no report ${d.report}. GET /api/v1/deployments/{deploymentId}/reports lists those you can see.`,
  ],
  content_level_missing: [
    403,
    (d: { type: string; id: number; level: string }) =>
      `This needs ${d.level} access to ${d.type} ${d.id}. Its owner or an administrator can share it with you.`,
  ],
  content_read_only: [
    403,
    () => 'This embed session only reads. Generate the session with creatorMode to make or change content.',
  ],
  share_target_not_found: [
    404,
    (d: { target: 'user' | 'group'; id: number; type: string; item: number }) =>
      `There is no ${d.target} ${d.id} that ${d.type} ${d.item} can be shared with.`,
  ],
  share_read_only: [
    400,
    (d: { group: string }) =>
      `Group ${quote(d.group)} can only be given read access: embed users view what it is shared with.`,
  ],
  folder_too_deep: [
    400,
    (d: { limit: number }) => `Folders nest at most ${d.limit} levels deep. Choose a folder nearer to the root.`,
  ],
  folder_into_itself: [
    400,
    (d: { folder: number; into: number }) =>
      `Folder ${d.folder} cannot be moved into ${d.into}, which is itself or below it.`,
  ],
  report_in_workbook: [
    400,
    (d: { report: number; workbook: number }) =>
      `Report ${d.report} is in workbook ${d.workbook} and is where that is. Move the workbook.`,
  ],
  folder_not_empty: [
    400,
    (d: { folder: number }) => `Folder ${d.folder} still has folders in it. Move or delete those first.`,
  ],
  report_query_invalid: [
    400,
    (d: { field: string; reason: string }) => `${d.field} is not a query that can be asked: ${d.reason}`,
  ],
  report_meta_invalid: [400, (d: { path: string; reason: string }) => `${d.path} is refused: ${d.reason}.`],
  public_id_reserved: [
    400,
    (d: { publicId: string }) =>
      `publicId ${quote(d.publicId)} has the form of a placeholder for reports without one. Choose another, or leave it out.`,
  ],
  public_id_taken: [
    409,
    (d: { publicId: string }) =>
      `publicId ${quote(d.publicId)} belongs to something else of this account. Choose another, or leave it out.`,
  ],
  public_id_fixed: [
    400,
    (d: { publicId: string }) =>
      `The publicId of this report is ${quote(d.publicId)} and is never changed. Leave it out.`,
  ],
  upsert_branch_changed: [
    409,
    (d: { kind: string; key: string }) =>
      `Somebody else made or deleted the ${d.kind} ${quote(d.key)} while this request was running, and nothing was written. Send it again.`,
  ],
  too_many_placements: [
    400,
    (d: { report: number; limit: number }) =>
      `Report ${d.report} is placed ${d.limit} times, which is as often as it can be. Disconnect one that is not used any more.`,
  ],
  dashboard_not_found: [
    404,
    (d: { dashboard: number | string }) =>
      `There is no dashboard ${quote(String(d.dashboard))} that this credential can see. Publish it and share its workbook first.`,
  ],
  widget_not_found: [
    404,
    (d: { widget: string }) =>
      `The published dashboard has no AI widget ${quote(d.widget)}. Send the id of one, or publish it first.`,
  ],
  dashboard_draft_missing: [
    400,
    (d: { workbook: number }) =>
      `Workbook ${d.workbook} has no dashboard draft to publish. Save one with PUT …/workbooks/${d.workbook}/dashboard, or send "config".`,
  ],
  dashboard_not_published: [
    400,
    (d: { workbook: number }) =>
      `Workbook ${d.workbook} has no published dashboard. Publish it first (POST …/workbooks/${d.workbook}/publish).`,
  ],
  dashboard_report_missing: [
    400,
    (d: { widget: string; report: string }) =>
      `Widget ${quote(d.widget)} shows report ${d.report}, which is no report of this workbook. Nothing was published. Make the report in this workbook, or remove the widget.`,
  ],
  dashboard_embedding_off: [
    403,
    (d: { dashboard: string }) =>
      `Signed embedding is off for dashboard ${quote(d.dashboard)}. An administrator can turn it on: PATCH /api/v1/embed/dashboard/{publicId} with "allowEmbed": true.`,
  ],
  creator_mode_required: [403, () => 'This needs an embed session in creator mode.'],
  python_not_enabled: [403, () => 'Python analysis is not enabled for this account.'],
  slug_taken: [
    409,
    (d: { slug: string }) =>
      `Another workbook of this workspace has the slug ${quote(d.slug)}. Choose another, or send "slugTakeover": true where you may edit that workbook.`,
  ],

  name_taken: [
    409,
    (d: { kind: string; name: string }) => `There is a ${d.kind} named ${quote(d.name)} already. Choose another name.`,
  ],
  version_unknown: [
    400,
    (d: { version: string; allowed: string }) =>
      `Version ${quote(d.version)} is not one this deployment can switch to. It can be ${d.allowed}.`,
  ],
  region_unknown: [
    400,
    (d: { region: string; allowed: string }) =>
      `Region ${quote(d.region)} does not exist here. It can be ${d.allowed}.`,
  ],
  variable_invalid: [
    400,
    (d: { name: string; reason: string }) => `Variable ${quote(d.name)} is refused: ${d.reason}.`,
  ],
  cursor_invalid: [
    400,
    (d: { cursor: string }) =>
      `after ${quote(d.cursor)} is not a cursor of this list. Send the pageInfo.endCursor of the page before.`,
  ],
  embed_session_spent: [
    401,
    () =>
      'This session id cannot be exchanged: it is unknown, older than five minutes, revoked, or was exchanged before. Generate a new session.',
  ],
  embed_session_refused: [
    403,
    () => 'An embed session may not do this. It is for an API key, or for a user of the account.',
  ],
  embed_session_required: [403, () => 'This is for embed sessions alone. Send "Authorization: Embed-Token <token>".'],
  embedding_disabled: [
    403,
    () => 'Embedding is switched off for this account. An administrator can switch it on in the tenant settings.',
  ],
  creator_mode_disabled: [
    403,
    () =>
      'Creator mode (useCreatorMode) is switched off for this account. An administrator can switch it on in the tenant settings.',
  ],
  external_user_limit: [
    429,
    (d: { limit: number }) =>
      `The account has its ${d.limit} external users already, and this would be one more. Remove some, or raise externalUserLimit with PUT /api/v1/tenant/settings.`,
  ],
  internal_user_not_found: [
    404,
    (d: { username: string }) =>
      `There is no active user with the user name ${quote(d.username)}. GET /api/v1/users lists them.`,
  ],
  security_context_too_large: [
    413,
    (d: { limit: string }) =>
      `securityContext is larger than ${d.limit}, and it travels with every query. Pass what data access is decided by, and look the rest up by it.`,
  ],
  branch_not_served: [
    400,
    (d: { branch: string }) =>
      `Nobody serves branch ${quote(d.branch)}: it has no staging environment and nobody has it open. Enable its staging environment (PUT …/branches/staging-environment), or leave branchName out.`,
  ],
  last_admin: [403, () => 'The account must keep at least one active administrator.'],

  group_not_found: [
    404,
    (d: { group: number }) => `There is no group ${d.group} here. GET /api/v1/user-groups lists them.`,
  ],
  group_is_system: [
    403,
    (d: { name: string }) =>
      `Group ${quote(d.name)} is made by Hedron to share content with; it cannot be changed, deleted or given members.`,
  ],
  user_attribute_not_found: [
    404,
    (d: { attribute: number }) =>
      `There is no user attribute ${d.attribute} here. GET /api/v1/user-attributes lists them.`,
  ],
  role_not_found: [404, (d: { role: number }) => `There is no role ${d.role} here. GET /api/v1/roles lists them.`],
  role_built_in: [
    403,
    (d: { name: string }) =>
      `The role ${quote(d.name)} is built in and cannot be changed or deleted. Create one of your own.`,
  ],
  role_name_reserved: [
    400,
    (d: { name: string }) => `${quote(d.name)} is the name of a built-in role. Choose another name.`,
  ],
  roles_not_found: [
    400,
    (d: { name: string }) => `There is no role named ${quote(d.name)}. GET /api/v1/roles lists those of the account.`,
  ],
  user_is_external: [
    400,
    (d: { id: number }) =>
      `User ${d.id} is an external user: what such users may do comes from their embed sessions. Choose a user of the account.`,
  ],
  user_deactivated: [
    400,
    (d: { id: number }) =>
      `User ${d.id} is deactivated. Activate the user first: PUT /api/v1/users/{id} with isDeactivated false.`,
  ],
  dbt_manifest_invalid: [400, (d: { reason: string }) => `The dbt manifest cannot be used: ${d.reason}.`],
  dbt_option_invalid: [
    400,
    (d: { name: string; reason: string }) => `The variable ${d.name} of the deployment ${d.reason}.`,
  ],
  dbt_ref_invalid: [
    400,
    (d: { ref: string; reason: string }) =>
      `${quote(d.ref)} cannot be synced: ${d.reason}. Name a branch or a tag of the dbt repository.`,
  ],
  dbt_repository_missing: [
    400,
    () =>
      'The deployment has no dbt repository. Set the variable HEDRON_DBT_REPOSITORY to its https address, or send a manifest with source "manifest".',
  ],
  dbt_branch_refused: [
    400,
    (d: { branch: string; reason: string }) => `Cubes cannot be written to the branch ${quote(d.branch)}: ${d.reason}.`,
  ],
  dbt_no_models: [
    400,
    () => 'no dbt models matched: the manifest has none that become tables, or the options leave them all out.',
  ],
  dbt_names_clash: [
    400,
    (d: { name: string; models: string }) =>
      `${d.models} would become a cube ${quote(d.name)}, which is taken or is no name. Rename the model, or set HEDRON_DBT_NAME_PREFIX.`,
  ],
  dbt_sync_not_found: [
    404,
    (d: { id: string }) => `There is no dbt sync ${quote(d.id)} of this deployment. GET …/dbt-sync lists them.`,
  ],
  dbt_sync_ended: [
    409,
    (d: { id: string }) => `dbt sync ${quote(d.id)} does not run any more. Its status says how it ended.`,
  ],
  dbt_sync_result_absent: [
    404,
    (d: { id: string; status: string }) =>
      `dbt sync ${quote(d.id)} is ${d.status} and has no result. Only one that is COMPLETED has.`,
  ],
  dbt_sync_files_absent: [
    404,
    (d: { id: string }) =>
      `dbt sync ${quote(d.id)} keeps no files: it has not ended, wrote them to a branch, or ended over an hour ago.`,
  ],
  own_account_deactivated: [403, () => 'Nobody can deactivate their own account. Another administrator can.'],
  own_account_deleted: [400, () => 'Nobody can delete their own account. Another administrator can.'],
  setting_refused: [
    400,
    (d: { name: string; reason: string }) => `The setting ${quote(d.name)} cannot be changed like that: ${d.reason}.`,
  ],
  embed_tenant_not_found: [
    404,
    (d: { tenant: string }) =>
      `There is no embed tenant ${quote(d.tenant)}. GET /api/v1/embed-tenants lists them; it is made with its first user, group or session.`,
  ],
  embed_tenant_required: [
    403,
    () =>
      'Comments are for users whom the host knows by externalId, in sessions with an embedTenantName. Generate such a session.',
  ],
  dashboard_comments_off: [
    403,
    () =>
      'Comments on embedded dashboards are switched off for this account. An administrator can switch them on: embedding.enableDashboardComments in PUT /api/v1/tenant/settings.',
  ],
  comment_not_found: [404, (d: { id: number }) => `There is no comment ${d.id} on this dashboard.`],
  comment_not_yours: [403, (d: { id: number }) => `Comment ${d.id} is somebody else's. Only its author may do this.`],
  comment_is_reply: [
    400,
    (d: { id: number }) => `Comment ${d.id} is a reply. Send the id of the comment that began its thread.`,
  ],
  comment_thread_full: [
    400,
    (d: { limit: number }) => `The thread has its ${d.limit} replies already. Begin another thread.`,
  ],
  embed_group_not_found: [
    404,
    (d: { id: number; tenant: string }) =>
      `Embed tenant ${quote(d.tenant)} has no group ${d.id}. GET /api/v1/embed-tenants/{embedTenantName}/groups lists them.`,
  ],
  embed_attribute_not_found: [
    404,
    (d: { id: number; tenant: string }) =>
      `Embed tenant ${quote(d.tenant)} has no user attribute ${d.id}. GET /api/v1/embed-tenants/{embedTenantName}/user-attributes lists them.`,
  ],
  embed_user_not_found: [
    404,
    (d: { id: number; tenant: string }) =>
      `Embed tenant ${quote(d.tenant)} has no user ${d.id}. GET /api/v1/embed-tenants/{embedTenantName}/users lists them.`,
  ],
  embed_group_name_taken: [
    400,
    (d: { name: string; tenant: string }) =>
      `Embed tenant ${quote(d.tenant)} has a group named ${quote(d.name)} already. Choose another name or use that group.`,
  ],
  embed_group_not_empty: [
    400,
    (d: { name: string; count: number }) =>
      `Group ${quote(d.name)} still has ${d.count} ${d.count === 1 ? 'member' : 'members'}. Remove them first with DELETE …/groups/{id}/users.`,
  ],
  group_name_reserved: [
    400,
    (d: { name: string }) =>
      `${quote(d.name)} cannot be the name of a group: names that begin with "system:", "all_embed_users" and "*" are reserved. Choose another.`,
  ],
  definition_duplicate: [
    400,
    (d: { field: string; name: string }) => `${d.field}: ${quote(d.name)} is defined more than once. Send it once.`,
  ],
  attribute_type_immutable: [
    400,
    (d: { name: string; type: string; wanted: string }) =>
      `User attribute ${quote(d.name)} cannot change type from ${d.type} to ${d.wanted}. Nothing was written. Send ${d.type}, or define another name.`,
  ],
  attribute_default_invalid: [
    400,
    (d: { name: string; type: string; value: string }) =>
      `defaultValue ${quote(d.value)} of user attribute ${quote(d.name)} is no ${d.type}. Arrays are written as JSON.`,
  ],
  attribute_value_invalid: [
    400,
    (d: { name: string; type: string; received: string }) =>
      `User attribute ${quote(d.name)} takes a ${d.type} or null, not ${d.received}.`,
  ],
  attribute_duplicate: [
    400,
    (d: { name: string }) => `userAttributes: ${quote(d.name)} is set more than once. Send it once.`,
  ],
  user_attributes_not_found: [
    400,
    (d: { names: readonly string[] }) => `User attributes not found: ${enumerate(d.names)}. Define them first.`,
  ],
  groups_not_found: [400, (d: { names: readonly string[] }) => `Groups with names ${enumerate(d.names)} not found`],

  chat_account_not_found: [
    404,
    (d: { account: string }) => `There is no account ${quote(d.account)} for this credential.`,
  ],
  chat_thread_not_found: [
    404,
    (d: { thread: string }) =>
      `There is no chat thread ${quote(d.thread)} of yours. Leave chatId out to begin one; state.chatId of the line __cutoff__ names it.`,
  ],
  chat_message_not_found: [
    404,
    (d: { message: string }) => `The chat thread has no message ${quote(d.message)}. Send it with its input.`,
  ],
  chat_thread_not_yours: [403, (d: { thread: string }) => `Chat thread ${quote(d.thread)} is somebody else's.`],
  chat_agent_required: [403, () => 'agentId is required for Api-Key authentication'],
  chat_agent_not_embedded: [
    403,
    (d: { agent: number }) =>
      `Agent ${d.agent} can't be asked by embed sessions. An administrator can allow it with PATCH /api/v1/deployments/{deploymentId}/agents/${d.agent} {"allowEmbedding": true}.`,
  ],
  chat_ai_off: [
    403,
    () =>
      'AI is switched off for this embed session or account (allowAi). An administrator can switch it on in the tenant settings.',
  ],

  rate_limited: [429, (d: { seconds: number }) => `Too many requests. Try again in ${d.seconds} s.`],
  internal_error: [
    500,
    (d: { requestId: string }) =>
      `Something failed on the server. It was logged as request ${d.requestId}; quote that when you report it.`,
  ],
  not_ready: [503, () => 'The server is starting or stopping. Try again in a moment.'],
} satisfies Record<string, readonly [status: number, message: (details: never) => string]>

type Table = typeof table
export type ErrorCode = keyof Table
/** What the sentence of a code needs; an empty object where it needs nothing. */
export type ErrorDetails<C extends ErrorCode> = Parameters<Table[C][1]> extends [infer D] ? D : Record<never, never>

/** HTTP status of each code. */
export const errorStatus = (code: ErrorCode): number => table[code][0]

/** Details that are lists. */
const listTemplates: Readonly<Record<string, readonly string[]>> = { paths: ['{path}'], names: ['{name}'] }

/** The sentence of a code with the names of its details in place of their values, for documentation. */
export function errorTemplate(code: ErrorCode): string {
  const names = new Proxy({}, { get: (_, name) => listTemplates[String(name)] ?? `{${String(name)}}` })
  const sentence: (details: never) => string = table[code][1]
  return sentence(names as never)
}

/** All codes, in the order of the table; the OpenAPI document lists them. */
export const errorCodes = Object.keys(table) as readonly ErrorCode[]

/**
 * A refusal that a caller can act on. A broken invariant stays a plain `Error` and is answered as `internal_error`.
 *
 * `data` travels beside the message in the body, for example the conflicts of a merge.
 */
export class CodedError<C extends ErrorCode = ErrorCode> extends Error {
  readonly code: C
  readonly status: number
  readonly data: Readonly<Record<string, unknown>>

  constructor(code: C, details: ErrorDetails<C>, data: Readonly<Record<string, unknown>> = {}) {
    const [status, message] = table[code]
    // The table's entries differ only in `details`, which the signature above ties to the code.
    super((message as (details: ErrorDetails<C>) => string)(details))
    this.name = 'CodedError'
    this.code = code
    this.status = status
    this.data = data
  }
}

/** Quotes a value from a request for a message: one line, control characters escaped, cut at 200 characters. */
function quote(value: string): string {
  const text = JSON.stringify(value)
  return text.length > 200 ? `${text.slice(0, 199)}…"` : text
}

/** Names of a request for a message: the first ten, one line, control characters escaped. */
function enumerate(names: readonly string[]): string {
  const shown = names.slice(0, 10).map(name => quote(name).slice(1, -1))
  return shown.join(', ') + (names.length > shown.length ? ` and ${names.length - shown.length} more` : '')
}
