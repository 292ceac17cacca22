import type { ProblemLog } from '../messages/model-messages.ts'
import type { AgentConfig, AgentsConfig, EvalQuestion, SpaceConfig } from '../shapes/agents.ts'
import type { Position } from '../shapes/source.ts'
import type { Located } from '../shapes/tree.ts'
import type { Item } from './read-items.ts'
import { type AgentSpec, type RootSpec, type SettingsFile, settingsOf } from './read-settings.ts'

/** A settings file with where it lies. */
export interface PlacedSettings extends SettingsFile {
  readonly path: string
  readonly folders: readonly string[]
}

/** An item in a file of its own. */
export interface PlacedItem {
  readonly item: Item
  readonly path: string
  readonly folders: readonly string[]
  /** As its front matter says. */
  readonly space: Located<string> | null
}

/** The space and the agent that need no name. */
const auto = 'auto'

/** Puts what was read of all files together: every space is found, every name is the only one of its kind. */
export function bindAgents(
  settings: readonly PlacedSettings[],
  documents: readonly PlacedItem[],
  log: ProblemLog,
): Omit<AgentsConfig, 'directory'> {
  const names = createNames(log)
  const spaces = createSpaces(settings, names)
  const findSpace = createFindSpace([...spaces.keys()], log)
  const items: { readonly item: Item; readonly space: string | undefined }[] = []
  for (const { items: own, spaces: declared, folders, path, root } of settings) {
    for (const { name, items: inSpace } of declared) {
      items.push(...inSpace.map(item => ({ item, space: name.value })))
    }
    const folder = findSpace.ofFolders(folders, path)
    items.push(...own.map(item => ({ item, space: folder })))
    const keys = settingsOf(root)
    if (folder === undefined || folder === auto || !keys[0]) continue
    log.report(keys[0].at, 'agents_in_space', { keys: keys.map(({ key }) => key), space: folder })
  }
  for (const { item, space, folders, path } of documents) {
    const folder = findSpace.ofFolders(folders, path)
    const named = space === null ? undefined : findSpace.named(space, `'${path}'`)
    if (space !== null && folder !== undefined && folder !== auto && named !== undefined && named !== folder) {
      log.warn(space.at, 'agents_elsewhere', { space: named, folder })
    }
    items.push({ item, space: space === null ? folder : named })
  }
  const questions = bindQuestions(settings, findSpace, names)
  return {
    spaces: [...spaces.values()].map(space => withItems(space, items, names)),
    agents: bindAgentList(settings, findSpace, names, log),
    questions,
  }
}

type Space = Pick<SpaceConfig, 'name' | 'title' | 'description'>
type Names = ReturnType<typeof createNames>

/** Refuses a name that is there already. */
function createNames(log: ProblemLog) {
  const seen = new Map<string, Position>()
  return (kind: string, scope: string, { value: name, at }: Located<string>): boolean => {
    const key = JSON.stringify([kind, scope, name])
    const first = seen.get(key)
    if (first) log.report(at, 'agents_twice', { kind, name, first })
    else seen.set(key, at)
    return first === undefined
  }
}

function createSpaces(settings: readonly PlacedSettings[], names: Names): Map<string, Space> {
  const spaces = new Map<string, Space>([[auto, { name: auto, title: null, description: null }]])
  for (const { name, title, description } of settings.flatMap(file => file.spaces)) {
    if (names('spaces', '', name)) spaces.set(name.value, { name: name.value, title, description })
  }
  return spaces
}

type FindSpace = ReturnType<typeof createFindSpace>

function createFindSpace(known: readonly string[], log: ProblemLog) {
  return {
    /** By name; `undefined` where there is none, which is reported. */
    named(space: Located<string>, of: string): string | undefined {
      if (known.includes(space.value)) return space.value
      log.report(space.at, 'agents_space', { space: space.value, of, known })
      return undefined
    },
    /** By the folders that a file lies in; `undefined` where they name two, which is reported. */
    ofFolders(folders: readonly string[], path: string): string | undefined {
      const found = [...new Set(folders.filter(folder => known.includes(folder)))]
      if (found.length <= 1) return found[0] ?? auto
      log.report({ file: path, line: 1, column: 1 }, 'agents_folders', { spaces: found })
      return undefined
    },
  }
}

function withItems(
  space: Space,
  all: readonly { readonly item: Item; readonly space: string | undefined }[],
  names: Names,
): SpaceConfig {
  const items = all.flatMap(({ item, space: name }) => (name === space.name ? [item] : []))
  for (const { kind, value, at, isNamed } of items) {
    if (!isNamed) continue
    // Skills are called by name with a slash, whatever space they are of.
    const scope = kind === 'skill' ? '' : space.name
    names(kinds[kind], scope, { value: value.name, at })
  }
  return {
    ...space,
    rules: items.flatMap(item => (item.kind === 'rule' ? [item.value] : [])),
    certifiedQueries: items.flatMap(item => (item.kind === 'certified_query' ? [item.value] : [])),
    skills: items.flatMap(item => (item.kind === 'skill' ? [item.value] : [])),
  }
}

const kinds = { rule: 'rules', certified_query: 'certified queries', skill: 'skills' } as const

function bindAgentList(
  settings: readonly PlacedSettings[],
  findSpace: FindSpace,
  names: Names,
  log: ProblemLog,
): AgentConfig[] {
  const root = mergeRoots(settings, log)
  const declared = settings.flatMap(file => file.agents)
  const agents = declared.flatMap((agent): AgentConfig[] => {
    const space = findSpace.named(agent.space, `the agent '${agent.name.value}'`)
    const isNew = names('agents', '', agent.name)
    return isNew && space !== undefined ? [{ name: agent.name.value, space, ...agent.config }] : []
  })
  const named = declared.find(({ name }) => name.value === auto)
  if (named) refuseBoth(root, named, log)
  const own = agents.find(({ name }) => name === auto) ?? {
    name: auto,
    space: auto,
    title: root.title?.value ?? null,
    description: root.description?.value ?? null,
    llm: root.llm?.value ?? 'auto',
    runtime: root.runtime?.value ?? 'plain',
    accessibleViews: root.accessibleViews?.value ?? null,
    memoryMode: root.memoryMode?.value ?? 'space',
  }
  return [own, ...agents.filter(agent => agent !== own)]
}

/** The agent without a name may be described in several files, each setting once. */
function mergeRoots(settings: readonly PlacedSettings[], log: ProblemLog): RootSpec {
  const first = new Map<keyof RootSpec, Position>()
  for (const { root } of settings) {
    for (const { key, at } of settingsOf(root)) {
      const before = first.get(key)
      if (before) log.report(at, 'agents_set_twice', { key, first: before })
      else first.set(key, at)
    }
  }
  const pick = <K extends keyof RootSpec>(key: K): RootSpec[K] | null =>
    settings.map(({ root }) => root[key]).find(setting => setting !== null) ?? null
  return {
    title: pick('title'),
    description: pick('description'),
    llm: pick('llm'),
    runtime: pick('runtime'),
    accessibleViews: pick('accessibleViews'),
    memoryMode: pick('memoryMode'),
  }
}

/** `auto` under `agents` describes the same agent as settings at the root of a file. */
function refuseBoth(root: RootSpec, { name }: AgentSpec, log: ProblemLog): void {
  const [setting] = settingsOf(root)
  if (setting) log.report(name.at, 'agents_twice', { kind: 'agents', name: auto, first: setting.at })
}

function bindQuestions(settings: readonly PlacedSettings[], findSpace: FindSpace, names: Names): EvalQuestion[] {
  return settings.flatMap(({ questions, folders, path }) => {
    if (questions.length === 0) return []
    const folder = findSpace.ofFolders(folders, path)
    return questions.flatMap(({ name, space, ...rest }): EvalQuestion[] => {
      const found = space === null ? folder : findSpace.named(space, `the questions of '${path}'`)
      if (found === undefined || !names('questions', found, name)) return []
      return [{ name: name.value, space: found, ...rest }]
    })
  })
}
