import type { ModelProblem, Position } from '../shapes/source.ts'
import { agentMessages } from './agent-messages.ts'
import { codeMessages } from './code-messages.ts'
import { type WarningCode, type WarningDetails, warningMessage } from './model-warnings.ts'
import { didYouMean } from './near-names.ts'

const list = (words: readonly string[]) => words.join(', ')

/**
 * Every problem that a model can have, by code. Where contract/behaviour/data-model.md gives a text, it is that text,
 * followed by what to do.
 */
const table = {
  ...codeMessages,
  ...agentMessages,
  yaml_syntax: ({ reason }: { reason: string }) => `This is not valid YAML: ${reason}`,
  yaml_too_many_aliases: ({ limit }: { limit: number }) =>
    `This file resolves more than ${limit} YAML aliases. Write the repeated parts out or use 'extends'.`,
  yaml_alias_missing: ({ alias }: { alias: string }) =>
    `The alias '*${alias}' stands for nothing: no '&${alias}' comes before it. Text that begins with '*' needs quotes.`,
  file_unsupported: ({ extension }: { extension: string }) =>
    `Model files ending in '${extension}' are not supported. Write the model in .yml or .js files, or move this file out of 'model/'.`,
  unexpected_root_key: ({ key }: { key: string }) =>
    `Unexpected YAML key: ${key}. Only 'cubes', 'views', and 'view_groups' are allowed here.`,
  unknown_key: ({ key, of, allowed }: { key: string; of: string; allowed: readonly string[] }) =>
    `"${key}" is not allowed in ${of}.${didYouMean(key, allowed)} Allowed: ${list(allowed)}.`,
  key_twice: ({ key, of }: { key: string; of: string }) =>
    `'${key}' is given twice in ${of}, perhaps in two spellings. Keep one.`,
  required: ({ key, of }: { key: string; of: string }) => `(${key}) is required in ${of}.`,
  wrong_type: ({ key, of, expected, actual }: { key: string; of: string; expected: string; actual: string }) =>
    `'${key}' of ${of} should be ${expected}, but it is ${actual}.`,
  sql_is_map: ({ key, of }: { key: string; of: string }) =>
    `'${key}' of ${of} should be text, but YAML reads braces at the start of a value as a map. Put the value in quotes.`,
  value_not_allowed: (d: { key: string; of: string; value: string; allowed: readonly string[] }) =>
    `'${d.value}' is not a valid '${d.key}' of ${d.of}.${didYouMean(d.value, d.allowed)} Allowed: ${list(d.allowed)}.`,
  not_array: ({ kind, of }: { kind: string; of: string }) =>
    `${kind} must be defined as array, in ${of}. Begin each item with '- '.`,
  name_missing: ({ kind, written }: { kind: string; written: string }) => `name isn't defined for ${kind}: ${written}`,
  name_invalid: ({ name, kind }: { name: string; kind: string }) =>
    `'${name}' can't be the name of a ${kind}. Names begin with a letter or underscore and have only letters, digits and underscores.`,
  name_reserved: ({ name, kind }: { name: string; kind: string }) =>
    `'${name}' can't be the name of a ${kind}, because it is a reserved word. Choose another, such as '${name}_'.`,
  path_invalid: ({ path, key, of }: { path: string; key: string; of: string }) =>
    `'${path}' as '${key}' of ${of} is not a name or a path of names such as 'orders.status'.`,
  python_expression: ({ expression }: { expression: string }) =>
    `Failed to parse Python expression. Most likely this type of syntax isn't supported yet: {${expression}}. ` +
    'Braces hold a reference such as {CUBE}, {member} or {cube.member}; a literal brace is written \\{ or \\}.',
  sql_nul: ({ of }: { of: string }) => `${of} holds a NUL character, which no database takes in SQL. Remove it.`,
  brace_unmatched: ({ brace }: { brace: string }) =>
    `'${brace}' has no partner. A reference stands in braces, such as {CUBE}; a literal brace is written \\${brace}.`,
  source_twice: ({ cube }: { cube: string }) =>
    `You must use either sql or sqlTable within a model, but not both: cube '${cube}' has both.`,
  source_missing: ({ cube }: { cube: string }) => `Cube '${cube}' needs 'sql_table' or 'sql'.`,
  refresh_every: ({ key, value }: { key: string; value: string }) =>
    `(refresh_key.${key} = ${value}) does not match regexp: /^(\\d+) (second|minute|hour|day|week)s?$/. Write for example '10 minutes'.`,
  refresh_cron: ({ cron }: { cron: string }) =>
    `Your cron string ('${cron}') is correct, but we support only equal time intervals. Write one that fires each so many seconds, minutes or hours, or once a day or week.`,
  refresh_timezone: ({ timezone }: { timezone: string }) =>
    `(refresh_key.timezone = ${timezone}) unknown timezone. Write one of the IANA database, such as Europe/Berlin.`,
  refresh_timezone_alone: (_: object) =>
    "'timezone' of a refresh key belongs to 'every' with a cron expression, such as 0 8 * * *, and means nothing without it.",
  refresh_key_parts: ({ cube }: { cube: string }) =>
    `'refresh_key' of cube '${cube}' needs 'sql', 'every' or 'immutable: true', and 'immutable' stands alone.`,
  dimension_sql: ({ of }: { of: string }) => `${of} needs exactly one of 'sql' and 'case'.`,
  geo_parts: ({ of }: { of: string }) =>
    `${of} is of type geo and needs 'latitude' and 'longitude', each with 'sql', and no 'sql'.`,
  geo_only: ({ of }: { of: string }) =>
    `'latitude' and 'longitude' are for dimensions of type geo, but ${of} is not one.`,
  time_only: ({ key, of }: { key: string; of: string }) =>
    `'${key}' is for dimensions of type time, but ${of} is not one.`,
  case_label: ({ of }: { of: string }) => `Each branch of ${of} needs a 'label': text, or a map with 'sql'.`,
  sub_query_sql: ({ of }: { of: string }) =>
    `${of} is a sub-query and needs 'sql' that refers to a measure; it can't be a 'case', of type geo, or a primary key.`,
  sub_query_measure: ({ of }: { of: string }) =>
    `${of} is a sub-query, but its 'sql' refers to no measure. Refer to one, such as {line_items.total}, or remove 'sub_query'.`,
  sub_query_primary_key: ({ of, cube }: { of: string; cube: string }) =>
    `${of} is a sub-query, which is computed for each primary key, but '${cube}' has none. Mark a dimension of '${cube}' with 'primary_key: true'.`,
  pre_aggregation_auto: (_: object) =>
    'Auto rollups supported only in Enterprise version. Write the rollups that you need, with type: rollup.',
  pre_aggregation_index_twice: (d: { index: string; name: string; cube: string }) =>
    `Found duplicate preAggregation.index '${d.index}' in pre-aggregation '${d.name}' in cube '${d.cube}'. Rename one of the two.`,
  pre_aggregation_rule: ({ of, rule }: { of: string; rule: string }) => `${of} can't be used: ${rule}.`,
  pre_aggregation_index: ({ of }: { of: string }) => `${of} needs exactly one of 'columns' and 'sql'.`,
  pre_aggregation_refresh_sql: ({ of }: { of: string }) =>
    `${of} has 'sql', beside which 'timezone', 'incremental' and 'update_window' have no meaning. Use 'every' with them.`,
  pre_aggregation_incremental: ({ id }: { id: string }) =>
    `Incremental refresh key can only be used for partitioned pre-aggregations but set for non-partitioned '${id}'. Add 'partition_granularity'.`,
  pre_aggregation_lambda_empty: ({ id }: { id: string }) => `rollupLambda '${id}' should reference at least one rollup`,
  pre_aggregation_lambda_first: ({ id }: { id: string }) =>
    `rollupLambda '${id}' must stand before the other pre-aggregations of its cube, or they would be found first. Move it to the top of the list.`,
  pre_aggregation_member: ({
    member,
    of,
    kind,
    list: within,
  }: {
    member: string
    of: string
    kind: string
    list: string
  }) => `'${member}' in '${within}' of ${of} is a ${kind}.`,
  pre_aggregation_rollup: ({ rollup, of, known }: { rollup: string; of: string; known: readonly string[] }) =>
    `'${rollup}' in 'rollups' of ${of} is not a rollup of any cube.${didYouMean(rollup, known)}`,
  filters_on_expression: ({ of, type }: { of: string; type: string }) =>
    `'filters' are applied inside an aggregation, and ${of} is of type ${type}. Put them on the measures that it refers to.`,
  interval: ({ key, value, of }: { key: string; value: string; of: string }) =>
    `(${key} = ${value}) does not match regexp: /^(-?\\d+) (minute|hour|day|week|month|quarter|year)s?$/, in ${of}. Write for example '7 days', at most 10000 years.`,
  window_part: ({ key, of, type }: { key: string; of: string; type: string }) =>
    `"${key}" is not allowed in ${of}, which is of type ${type}. 'trailing', 'leading' and 'offset' are for fixed windows, 'granularity' is for to_date.`,
  window_type: ({ of, type, allowed }: { of: string; type: string; allowed: readonly string[] }) =>
    `${of} is of type ${type}, which aggregates nothing that a 'rolling_window' could hold. Put the window on the measures that it refers to; it can be on the types ${list(allowed)}.`,
  keep_and_exclude: ({ of }: { of: string }) =>
    `'keep_only' and 'exclude' can't stand together in ${of}: what is kept says already what is left out.`,
  time_shift_parts: ({ of }: { of: string }) =>
    `'time_shift' of ${of} needs 'interval' with 'type', or a 'name' alone; of several, each needs 'time_dimension', 'interval' and 'type'.`,
  stage_only: ({ parts, of }: { parts: readonly string[]; of: string }) =>
    `${list(parts)} of ${of} is for multi-stage members. Add 'multi_stage: true'.`,
  stage_column: ({ of, column }: { of: string; column: string }) =>
    `${of} is multi-stage and refers to '${column}', a column of rows. Its stage sees measures and dimensions only: write {member}.`,
  stage_member: ({ of, member, kind, allowed }: { of: string; member: string; kind: string; allowed: string }) =>
    `'${member}' in ${of} is a ${kind}. Name ${allowed}.`,
  stage_dimension_parts: ({ of }: { of: string }) =>
    `${of} is multi-stage, which is computed from measures of groups: it can't be a primary key, a sub-query, or of type geo or switch.`,
  stage_in_sql: ({ of, dimension }: { of: string; dimension: string }) =>
    `${of} refers to '${dimension}', which is multi-stage and not known where rows are read. Make it multi-stage too, or refer to dimensions of rows.`,
  stage_filter: ({ of, reason }: { of: string; reason: string }) => `A filter of ${of} can't be applied: ${reason}`,
  switch_parts: ({ of }: { of: string }) =>
    `${of} is of type switch and needs 'values', a list of at least one text, and neither 'sql' nor 'case'.`,
  switch_only: ({ of }: { of: string }) => `'values' is for dimensions of type switch, but ${of} is not one.`,
  switch_dimension: ({ of }: { of: string }) =>
    `'switch' of ${of} must be one dimension in braces, such as {currency}: of type switch, or with one text, number or truth value for each row.`,
  switch_in_sql: ({ of, dimension }: { of: string; dimension: string }) =>
    `${of} refers to '${dimension}', which is of type switch and no column. A member can depend on it with 'case' and 'switch'.`,
  switch_value: (d: { of: string; value: string; dimension: string; known: readonly string[] }) =>
    `'${d.value}' in 'case' of ${d.of} is none of the values of '${d.dimension}'.${didYouMean(d.value, d.known)} Known: ${list(d.known)}.`,
  rank_order: ({ of }: { of: string }) =>
    `'order_by' and type: rank belong together, but ${of} has one without the other.`,
  case_and_sql: ({ of }: { of: string }) => `${of} has 'case' and 'sql'. Keep one.`,

  duplicate_cube: ({ kind, name, first }: { kind: string; name: string; first: Position }) =>
    `Found duplicate ${kind} name '${name}'. It is first defined in ${first.file}:${first.line}. Rename one of the two.`,
  duplicate_member: ({ cube, names }: { cube: string; names: readonly string[] }) =>
    `${list(names)} defined more than once in '${cube}'. Names are shared by measures, dimensions, segments and hierarchies; rename one.`,
  duplicate_join: ({ cube, target }: { cube: string; target: string }) =>
    `Cube '${cube}' has more than one join to '${target}'. To join a table in two roles, define a second cube with 'extends: ${target}'.`,
  duplicate_granularity: ({ name, of }: { name: string; of: string }) =>
    `Granularity '${name}' is defined more than once in ${of}.`,
  extends_missing: ({ kind, name, known }: { kind: string; name: string; known: readonly string[] }) =>
    `${kind} ${name} doesn't exist, so it can't be extended.${didYouMean(name, known)}`,
  extends_circle: ({ path }: { path: readonly string[] }) =>
    `Cubes and views can't extend each other in a circle: ${path.join(' -> ')}.`,
  extends_too_deep: ({ limit }: { limit: number }) =>
    `More than ${limit} cubes extend one another in a row. Extend a cube nearer to the first.`,
  join_target_missing: ({ target, known }: { target: string; known: readonly string[] }) =>
    `Cube ${target} doesn't exist.${didYouMean(target, known)}`,
  join_to_itself: ({ cube }: { cube: string }) =>
    `Cube '${cube}' joins itself. Define a second cube with 'extends: ${cube}' and join that.`,
  join_foreign: ({ cube, target, foreign }: { cube: string; target: string; foreign: string }) =>
    `The join of '${cube}' to '${target}' refers to '${foreign}', and no joins lead from '${cube}' there. Join '${foreign}' to '${cube}' first.`,
  unresolved: ({ cube, name, known }: { cube: string; name: string; known: readonly string[] }) =>
    `${cube}.${name} cannot be resolved. There's no such member or cube.${didYouMean(name, known)}`,
  measure_in_row_sql: ({ of, measure }: { of: string; measure: string }) =>
    `${of} refers to the measure '${measure}', but is evaluated for each row, before measures are known.`,
  measure_in_aggregate: ({ of, measure, type }: { of: string; measure: string; type: string }) =>
    `${of} is of type ${type} and refers to the measure '${measure}', which is aggregated already. Use type: number to calculate with measures.`,
  member_in_source: ({ of, reference }: { of: string; reference: string }) =>
    `${of} refers to {${reference}}. It can refer to another cube only as a whole, as in {orders.sql()}.`,
  source_in_member: ({ of, cube }: { of: string; cube: string }) =>
    `${of} refers to {${cube}.sql()}, which stands for all rows of a cube and belongs into the 'sql' of a cube. Join '${cube}' and refer to its members.`,
  reference_circle: ({ path }: { path: readonly string[] }) =>
    `Members refer to each other in a circle: ${path.join(' -> ')}.`,
  reference_path: ({ path, from, to }: { path: string; from: string; to: string }) =>
    `'${path}' cannot be followed: Can't find join path to join '${from}', '${to}'. Define a join in cube '${from}'.`,
  reference_too_deep: ({ of, limit }: { of: string; limit: number }) =>
    `${of} expands to more than ${limit} parts once its references are followed. Split it into simpler members.`,
  granularity_parts: ({ of }: { of: string }) =>
    `Granularity '${of}' needs 'interval', with or without 'offset' or 'origin', or 'sql' alone.`,
  calendar_only: ({ of, cube }: { of: string; cube: string }) =>
    `${of} is for cubes that are calendars. Add 'calendar: true' to '${cube}'.`,
  calendar_foreign: ({ of, through }: { of: string; through: string }) =>
    `${of} refers to '${through}', but can use nothing except columns and dimensions of its own table: no other cube, no sub-query, no context variable.`,
  calendar_shift_parts: ({ of }: { of: string }) =>
    `'time_shift' of ${of} needs two of three: 'name', 'interval' with 'type', 'sql'.`,
  calendar_shift_twice: ({ of }: { of: string }) =>
    `'time_shift' of ${of} has two items of the same name, or without a name of the same interval.`,
  calendar_key: ({ of, cube }: { of: string; cube: string }) =>
    `'time_shift' of ${of} has 'sql', which takes the place of the key by which '${cube}' is joined. Give it to a dimension with 'primary_key: true', or give '${cube}' exactly one such dimension.`,
  granularity_missing: ({ dimension, name, known }: { dimension: string; name: string; known: readonly string[] }) =>
    `'${dimension}' has no granularity '${name}'.${didYouMean(name, known)} Known: ${list(known)}.`,
  granularity_interval: ({ interval }: { interval: string }) =>
    `'${interval}' is not an interval. Write a number and a unit, such as '15 minutes' or '1 year', at most 10000 years; units are second to year.`,
  granularity_origin_required: ({ interval }: { interval: string }) =>
    `Arbitrary intervals cannot be used without origin point specified: '${interval}' does not divide the next longer unit evenly. Add 'origin'.`,
  granularity_origin: ({ origin }: { origin: string }) =>
    `Origin should be valid date-only form: YYYY[-MM[-DD]] or date-time form: YYYY-MM-DD[T]HH:mm[:ss[.sss]], but it is '${origin}'.`,
  granularity_origin_and_offset: ({ of }: { of: string }) =>
    `Granularity ${of} has both 'origin' and 'offset'. Keep one.`,
  primary_key_required: ({ cube }: { cube: string }) =>
    `primary key for '${cube}' is required when join is defined in order to make aggregates work properly. Mark a dimension of '${cube}' with 'primary_key: true'.`,
  hierarchy_level: ({ member, hierarchy }: { member: string; hierarchy: string }) =>
    `Only dimensions can be part of a hierarchy. Please remove the '${member}' member from the '${hierarchy}' hierarchy.`,
  drill_member: ({ member, of }: { member: string; of: string }) =>
    `'${member}' in 'drill_members' of ${of} is a segment or a hierarchy. Name dimensions or measures.`,
  format_numeric: ({ value }: { value: string }) =>
    `Invalid numeric format "${value}". Use a named format such as percent_2 or a d3-format specifier such as ,.2f.`,
  format_name: ({ value }: { value: string }) =>
    `"${value}" is not a valid named numeric format. Valid named formats: number, percent, currency, id, abbr, accounting (with optional _N decimal suffix, e.g. percent_3)`,
  format_time: ({ value }: { value: string }) =>
    `Invalid time format "${value}". Use a strftime specifier such as %Y-%m-%d, with the letters a A b B c d H I j m M n p S t U w W x X y Y Z e f g G L q Q s u V and %%.`,
  format_plain: ({ value }: { value: string }) =>
    `'${value}' is not a format. Allowed: imageUrl, link, currency, percent, number, id, or a map with type: link and label.`,
  currency_dimension: (_: object) => `"currency" property can only be used with dimensions of type "number"`,
  currency_measure: ({ type }: { type: string }) =>
    `"currency" property can only be used with numeric measures, actual type: ${type}`,
  currency_code: ({ code }: { code: string }) =>
    `"${code}" is not a valid currency code. Expected a valid 3-letter ISO 4217 code (e.g. USD, EUR)`,
  filter_params: ({ of }: { of: string }) =>
    `FILTER_PARAMS in ${of} is not complete. Write {FILTER_PARAMS.cube.member.filter('column')}, or a lambda such as lambda x, y: f'column BETWEEN {x} AND {y}' in place of the column.`,
  filter_params_member: ({ member, known }: { member: string; known: readonly string[] }) =>
    `FILTER_PARAMS names '${member}', which is no dimension of a cube.${didYouMean(member, known)} Name the cube and the dimension whose filters are wanted.`,
  filter_group: ({ found }: { found: string }) =>
    `FILTER_GROUP expects FILTER_PARAMS args to be passed. For example FILTER_GROUP(FILTER_PARAMS.foo.bar.filter('bar'), FILTER_PARAMS.foo.jar.filter('jar')). But found: ${found}`,
  sql_utils: ({ of }: { of: string }) =>
    `SQL_UTILS in ${of} is not complete. Write {SQL_UTILS.convertTz(column)} or {SQL_UTILS.urlEncode(column)}.`,
  user_context: (_: object) =>
    'Support for USER_CONTEXT was removed, please migrate to SECURITY_CONTEXT. Better still, use access policies.',
  security_context_use: ({ of }: { of: string }) =>
    `SECURITY_CONTEXT in ${of} is not complete. Write {SECURITY_CONTEXT.name.filter('column')} or {SECURITY_CONTEXT.name.requiredFilter('column')}.`,
  context_place: ({ of }: { of: string }) =>
    `This part of ${of} depends on the query, and values of queries are parameters, which mean nothing inside quotes and comments. Move it out of them.`,
  link_target: ({ link, of }: { link: string; of: string }) =>
    `Link '${link}' of ${of} needs exactly one of 'url', which is SQL, and 'dashboard', the id of one.`,
  link_duplicate: ({ link, of }: { link: string; of: string }) => `Duplicate link name '${link}' in ${of}. Rename one.`,
  link_primary: ({ of }: { of: string }) =>
    `Only one link can be marked as primary, and ${of} has more. Remove 'primary' from all but one.`,
  key_foreign: ({ dimension, key }: { dimension: string; key: string }) =>
    `Dimension '${dimension}' has a key that references dimension '${key}' from a different cube. Key must reference a dimension within the same cube.`,
  key_dimension: ({ dimension, key }: { dimension: string; key: string }) =>
    `Dimension '${dimension}' has the key '${key}', which is not a dimension. Name a dimension of the same cube.`,
  key_nested: ({ dimension, key }: { dimension: string; key: string }) =>
    `Dimension '${dimension}' references '${key}' as its key, but '${key}' already defines its own key. Nested keys are not allowed.`,
  key_not_included: ({ dimension, key, view }: { dimension: string; key: string; view: string }) =>
    `Dimension '${dimension}' has key '${key}' but the key dimension is not included in view '${view}'. Include it too.`,
  view_own_member: ({ view, member }: { view: string; member: string }) =>
    `View '${view}' defines own member '${view}.${member}'. Please move this member definition to one of the cubes.`,
  split_prefix: (_: object) => 'Using split together with prefix is not supported. Keep one of the two.',
  view_group_parts: ({ group }: { group: string }) =>
    `View group must use either "views" or "includes", but not both: '${group}' has both.`,
  view_group_duplicate: ({ group, isInOneList }: { group: string; isInOneList: boolean }) =>
    `${isInOneList ? `Found duplicate view group name '${group}'.` : `View group "${group}" already exists!`} Rename one of the two.`,
  view_group_view: ({ group, view, known }: { group: string; view: string; known: readonly string[] }) =>
    `View group "${group}" includes "${view}" which is not a defined view.${didYouMean(view, known)}`,
  view_group_missing: ({ view, group, known }: { view: string; group: string; known: readonly string[] }) =>
    `View "${view}" references view group "${group}" which is not defined.${didYouMean(group, known)} Define it under 'view_groups' of a file.`,
  view_cube_missing: ({ name, known }: { name: string; known: readonly string[] }) =>
    `Cube ${name} doesn't exist.${didYouMean(name, known)}`,
  view_path: ({ from, to, view }: { from: string; to: string; view: string }) =>
    `Can't find join path to join '${from}', '${to}', which view '${view}' needs. Define a join in cube '${from}'.`,
  view_paths: (d: { view: string; cube: string; root: string; paths: readonly string[] }) =>
    `Views can't define multiple join paths to the same cube. View '${d.view}' has multiple paths to '${d.cube}' within root '${d.root}': ${list(d.paths)}. Use a second cube with 'extends: ${d.cube}' for the other role.`,
  include_path: ({ member }: { member: string }) =>
    `Paths aren't allowed in cube includes but '${member}' provided as include member. Name the member alone; 'join_path' says which cube it is of.`,
  exclude_path: ({ member }: { member: string }) =>
    `Paths aren't allowed in cube excludes but '${member}' provided as exclude member. Name the member alone; 'join_path' says which cube it is of.`,
  include_missing: ({
    member,
    view,
    cube,
    known,
  }: {
    member: string
    view: string
    cube: string
    known: readonly string[]
  }) =>
    `Member '${member}' is included in '${view}' but not defined in any cube: '${cube}' doesn't have it.${didYouMean(member, known)}`,
  exclude_missing: ({
    member,
    view,
    cube,
    known,
  }: {
    member: string
    view: string
    cube: string
    known: readonly string[]
  }) => `Member '${member}' is excluded from '${view}' but '${cube}' doesn't have it.${didYouMean(member, known)}`,
  include_conflict: ({ member, view }: { member: string; view: string }) =>
    `Included member '${member}' conflicts with existing member of '${view}'. Please consider excluding this member or assigning it an alias.`,
  folder_duplicate: ({ folder, view }: { folder: string; view: string }) =>
    `Folder names must be unique within a view. Found duplicate folder '${folder}' in view '${view}'.`,
  folder_member: ({ member, folder, known }: { member: string; folder: string; known: readonly string[] }) =>
    `Member '${member}' included in folder '${folder}' not found.${didYouMean(member, known)}`,
  folder_path: ({ member, view }: { member: string; view: string }) =>
    `Paths aren't allowed in the 'folders' but '${member}' has been provided for ${view}. Use the member's name in the view.`,
  folder_join_path: ({ path, folder, view }: { path: string; folder: string; view: string }) =>
    `Join path '${path}' included in folder '${folder}' not found in view '${view}' cubes definition`,
  default_filter_member: ({ member, view, known }: { member: string; view: string; known: readonly string[] }) =>
    `Member '${member}' used as member in default value filter is not included in view '${view}'.${didYouMean(member, known)}`,
  default_filter_dimension: ({ member, view }: { member: string; view: string }) =>
    `Member '${member}' used in a default filter of view '${view}' is not a dimension. Default filters are for dimensions.`,
  default_filter_values: ({ reason }: { reason: string }) => `This default filter can't be applied: ${reason}`,
  mask_time: ({ of, value }: { of: string; value: string }) =>
    `'mask' of ${of} is '${value}', but the dimension is of type time, and is cut to days or compared with dates. Write a date such as '1970-01-01', SQL, or no mask to show nothing.`,
  policies_empty: ({ of }: { of: string }) =>
    `'access_policy' of ${of} is empty. Write at least one policy, or leave 'access_policy' out for everybody to see everything.`,
  policy_kind: ({ of }: { of: string }) =>
    `An access policy of ${of} needs exactly one of 'group', 'groups' and 'role'. Write group: "*" for everybody.`,
  policy_masking: ({ source }: { source: string }) =>
    `accessPolicy for ${source} defines memberMasking without memberLevel. memberLevel is required when memberMasking is used: it says which members are shown as they are.`,
  policy_rows: ({ of }: { of: string }) =>
    `'row_level' of ${of} needs either 'filters' or 'allow_all: true', and not both.`,
  policy_filters_empty: ({ of }: { of: string }) =>
    `${of} has a list of row filters without a filter in it. Write 'allow_all: true' for all rows, or a filter.`,
  policy_path: ({ member, as, source }: { member: string; as: string; source: string }) =>
    `Paths aren't allowed in the accessPolicy policy but '${member}' provided as ${as} for ${source}. Name a member of '${source}' alone.`,
  policy_member: (d: { member: string; as: string; source: string; known: readonly string[] }) =>
    `'${d.member}' provided as ${d.as} of an access policy is no member of '${d.source}'.${didYouMean(d.member, d.known)}`,
  policy_filter: ({ member, reason }: { member: string; reason: string }) =>
    `The row filter on '${member}' can't be applied: ${reason}`,
  policy_expression: ({ expression, reason }: { expression: string; reason: string }) =>
    `Failed to parse Python expression. Most likely this type of syntax isn't supported yet: {${expression}}: ${reason}.`,
  policy_reference: ({ name, source }: { name: string; source: string }) =>
    `Cube references are not allowed when evaluating RLS conditions or filters. Found: ${name} in ${source}. Expressions can use securityContext, userAttributes and groups.`,
}

type Table = typeof table
export type ProblemCode = keyof Table
type AllDetails = { [C in ProblemCode]: Parameters<Table[C]>[0] }
export type ProblemDetails<C extends ProblemCode> = AllDetails[C]

/** Every code, for the tests that prove each of them. */
export const problemCodes: readonly string[] = Object.keys(table)
const messages: { [C in ProblemCode]: (details: AllDetails[C]) => string } = table

/** Collects what is wrong with a model, and what is only worth knowing; one place and one code are said once. */
export interface ProblemLog {
  report<C extends ProblemCode>(at: Position, code: C, details: ProblemDetails<C>): void
  /** Says what the author should know of a model that is sound. It stops nothing. */
  warn<C extends WarningCode>(at: Position, code: C, details: WarningDetails<C>): void
  readonly problems: readonly ModelProblem[]
  readonly warnings: readonly ModelProblem[]
}

export function createProblemLog(): ProblemLog {
  const problems: ModelProblem[] = []
  const warnings: ModelProblem[] = []
  const seen = new Set<string>()
  const add = (list: ModelProblem[], at: Position, code: string, message: () => string) => {
    const key = `${code} ${at.line}:${at.column} ${at.file}`
    if (seen.has(key)) return
    seen.add(key)
    const rendered = at.renderedLine === undefined ? '' : ` (In line ${at.renderedLine} after rendering.)`
    list.push({ code, message: `${message()}${rendered}`, file: at.file, line: at.line, column: at.column })
  }
  return {
    problems,
    warnings,
    report: (at, code, details) => add(problems, at, code, () => messages[code](details)),
    warn: (at, code, details) => add(warnings, at, code, () => warningMessage(code, details)),
  }
}
