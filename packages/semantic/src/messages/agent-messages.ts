import type { Position } from '../shapes/source.ts'
import { didYouMean } from './near-names.ts'

/** What can be wrong with the files of `agents/`. Part of the table in model-messages.ts. */
export const agentMessages = {
  agents_kind: ({ path }: { path: string }) =>
    `It can't be told what '${path}' is. Move it below 'rules/', 'certified_queries/' or 'skills/', or write 'kind: rule', 'kind: certified_query' or 'kind: skill' into its front matter.`,
  agents_front_matter: (_: object) =>
    "The front matter has no end. Put a line with '---' after its last key; what follows is the text.",
  agents_mixed: ({ keys }: { keys: readonly string[] }) =>
    `'spaces' and 'agents' can't stand beside ${keys.map(key => `'${key}'`).join(', ')} in one file: those are of the one agent that needs neither. Move them into a space or an agent, or into another file.`,
  agents_twice: ({ kind, name, first }: { kind: string; name: string; first: Position }) =>
    `There are two ${kind} with the name '${name}'. The other is in ${first.file}:${first.line}. Rename one.`,
  agents_set_twice: ({ key, first }: { key: string; first: Position }) =>
    `'${key}' of the agent 'auto' is set twice. It is set first in ${first.file}:${first.line}. Keep one.`,
  agents_space: ({ space, of, known }: { space: string; of: string; known: readonly string[] }) =>
    `The space '${space}' of ${of} is not declared.${didYouMean(space, known)} Declare it under 'spaces' of a file. Declared: ${known.join(', ')}.`,
  agents_folders: ({ spaces }: { spaces: readonly string[] }) =>
    `Folders of two spaces are on the path of this file: ${spaces.map(space => `'${space}'`).join(' and ')}. Move it to where only one of them is.`,
  agents_in_space: ({ keys, space }: { keys: readonly string[]; space: string }) =>
    `${keys.map(key => `'${key}'`).join(', ')} can't be set in the folder of the space '${space}'. Write them under 'agents' for an agent of that space, or 'spaces' for the space.`,
  agents_content: ({ key, of, isDocument }: { key: string; of: string; isDocument: boolean }) =>
    `${of} needs '${key}'${isDocument ? ", or text after the front matter's end" : ''}.`,
  agents_rule_description: ({ rule }: { rule: string }) =>
    `The rule '${rule}' is of type agent_requested and needs 'description', by which agents choose it.`,
  agents_truth: ({ question }: { question: string }) =>
    `The question '${question}' needs exactly one of 'certifiedQuery' and 'sql', which tell what is right.`,
  agents_byom: (_: object) =>
    "'byom' of 'llm' needs exactly one of 'name' and 'id', such as llm: { byom: { name: our-model } }.",
  agents_too_large: ({ what, limit }: { what: string; limit: string }) =>
    `${what} than ${limit}, which is more than agents can be told. Shorten the texts, or move what is not for agents out of the folder.`,
}

/** What an author of them should know all the same. Part of the table in model-warnings.ts. */
export const agentWarnings = {
  agents_ignored: ({ path }: { path: string }) =>
    `'${path}' is read by no agent: only files ending in .yml, .yaml, .md and .markdown are. Rename it or move it elsewhere.`,
  agents_body: ({ key }: { key: string }) =>
    `The text below the front matter is not used, since '${key}' is set above. Keep one of the two.`,
  agents_elsewhere: ({ space, folder }: { space: string; folder: string }) =>
    `This file is in the folder of the space '${folder}' and belongs to the space '${space}', as its front matter says. Move it, or remove 'space'.`,
  agents_view: ({ view, agent, known }: { view: string; agent: string; known: readonly string[] }) =>
    `'${view}' in 'accessible_views' of the agent '${agent}' is no view of the model.${didYouMean(view, known)}`,
  agents_certified: ({ query, question, known }: { query: string; question: string; known: readonly string[] }) =>
    `The question '${question}' is held against the certified query '${query}', which its space does not have.${didYouMean(query, known)}`,
}
