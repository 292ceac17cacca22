import type { Catalog } from '../framework/command.ts'

/** Commands that deal with what is made of data. */
export const contentCommands: Catalog = [
  {
    name: 'folders',
    aliases: ['folder'],
    summary: 'Folders of the workspace',
    commands: [
      {
        name: 'list',
        aliases: ['ls'],
        summary: 'List folders',
        load: async () => (await import('../commands/folders.ts')).listFolders,
      },
      {
        name: 'create',
        summary: 'Make a folder',
        load: async () => (await import('../commands/folders.ts')).createFolder,
      },
      {
        name: 'update',
        summary: 'Rename or reorder a folder',
        load: async () => (await import('../commands/folders.ts')).updateFolder,
      },
      {
        name: 'delete',
        aliases: ['rm'],
        summary: 'Delete a folder',
        load: async () => (await import('../commands/folders.ts')).deleteFolder,
      },
      {
        name: 'ancestors',
        summary: 'Show the folders that lead to one',
        load: async () => (await import('../commands/folders.ts')).folderAncestors,
      },
    ],
  },
  {
    name: 'workbooks',
    aliases: ['workbook'],
    summary: 'Workbooks and their dashboards',
    commands: [
      {
        name: 'list',
        aliases: ['ls'],
        summary: 'List workbooks',
        load: async () => (await import('../commands/workbooks.ts')).listWorkbooks,
      },
      {
        name: 'get',
        summary: 'Show a workbook',
        load: async () => (await import('../commands/workbooks.ts')).getWorkbook,
      },
      {
        name: 'create',
        summary: 'Make a workbook',
        load: async () => (await import('../commands/workbooks.ts')).createWorkbook,
      },
      {
        name: 'update',
        summary: 'Change a workbook',
        load: async () => (await import('../commands/workbooks.ts')).updateWorkbook,
      },
      {
        name: 'delete',
        aliases: ['rm'],
        summary: 'Delete a workbook',
        load: async () => (await import('../commands/workbooks.ts')).deleteWorkbook,
      },
      {
        name: 'duplicate',
        summary: 'Copy a workbook',
        load: async () => (await import('../commands/workbooks.ts')).duplicateWorkbook,
      },
      {
        name: 'publish',
        summary: 'Publish its dashboard',
        load: async () => (await import('../commands/workbooks.ts')).publishWorkbook,
      },
      {
        name: 'dashboard',
        summary: 'Save the draft of its dashboard',
        load: async () => (await import('../commands/workbooks.ts')).saveDashboard,
      },
      {
        name: 'ai-thread',
        summary: 'Connect a widget with a chat thread',
        load: async () => (await import('../commands/workbooks.ts')).setWidgetThread,
      },
    ],
  },
  {
    name: 'reports',
    aliases: ['report'],
    summary: 'Saved queries',
    commands: [
      {
        name: 'list',
        aliases: ['ls'],
        summary: 'List reports',
        load: async () => (await import('../commands/reports.ts')).listReports,
      },
      {
        name: 'get',
        summary: 'Show a report',
        load: async () => (await import('../commands/reports.ts')).getReport,
      },
      {
        name: 'create',
        summary: 'Save a report',
        load: async () => (await import('../commands/reports.ts')).createReport,
      },
      {
        name: 'update',
        summary: 'Change a report',
        load: async () => (await import('../commands/reports.ts')).updateReport,
      },
      {
        name: 'delete',
        aliases: ['rm'],
        summary: 'Delete a report',
        load: async () => (await import('../commands/reports.ts')).deleteReport,
      },
      {
        name: 'refresh',
        summary: 'Ask the data of a report again',
        load: async () => (await import('../commands/reports.ts')).refreshReport,
      },
      {
        name: 'connect-workbook',
        summary: 'Note its place in a spreadsheet',
        load: async () => (await import('../commands/reports.ts')).connectReport,
      },
    ],
  },
  {
    name: 'workspace',
    summary: 'Everything in the folders',
    commands: [
      {
        name: 'list',
        aliases: ['ls'],
        summary: 'List what is in a folder',
        load: async () => (await import('../commands/workspace.ts')).listWorkspace,
      },
      {
        name: 'shared',
        summary: 'List what is shared with embed users',
        load: async () => (await import('../commands/workspace.ts')).sharedWorkspace,
      },
      {
        name: 'move',
        summary: 'Move a folder, workbook or report',
        load: async () => (await import('../commands/workspace.ts')).moveItem,
      },
    ],
  },
]
