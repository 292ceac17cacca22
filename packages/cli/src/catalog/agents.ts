import type { Catalog } from '../framework/command.ts'

/** Commands that deal with agents and how well they answer. */
export const agentCommands: Catalog = [
  {
    name: 'agents',
    aliases: ['agent'],
    summary: 'Agents of a deployment',
    commands: [
      {
        name: 'list',
        aliases: ['ls'],
        summary: 'List agents',
        load: async () => (await import('../commands/agents.ts')).listAgents,
      },
      {
        name: 'skills',
        summary: 'List the skills of agents',
        load: async () => (await import('../commands/agents.ts')).listAgentSkills,
      },
    ],
  },
  {
    name: 'evals',
    aliases: ['eval'],
    summary: 'Evaluations of agents',
    commands: [
      {
        name: 'run',
        summary: 'Ask an agent the questions of its branch',
        load: async () => (await import('../commands/evals/run.ts')).runEval,
      },
      {
        name: 'status',
        summary: 'Show or await the state of a run',
        load: async () => (await import('../commands/evals/status.ts')).evalStatus,
      },
      {
        name: 'results',
        summary: 'List the results of a run',
        load: async () => (await import('../commands/evals/results.ts')).evalResults,
      },
    ],
  },
]
