/** Stages of a sync in the order in which they are reached, with how far each is, in percent (contract/behaviour/devmode-deploy.md section 4). */
export const stagePercent = {
  INITIALIZING: 0,
  CREATING_SANDBOX: 5,
  UPLOADING_PROJECT: 10,
  RUNNING_DBT_DEPS: 30,
  COMPILING_DBT: 50,
  PROCESSING_MANIFEST: 70,
  WRITING_CUBE_FILES: 85,
  FINALIZING: 95,
  COMPLETED: 100,
  FAILED: 100,
} as const
export type Stage = keyof typeof stagePercent

export const isStage = (text: string): text is Stage => text in stagePercent
