import { integer, optional, type Parameter } from '../../framework/parameter.ts'

/** Path of the content of a deployment. */
export const contentPath = (deployment: number, ...segments: readonly (string | number)[]): string =>
  ['/api/v1/deployments', deployment, ...segments.map(segment => encodeURIComponent(segment))].join('/')

/** An option that names a folder; 0 is the root of the workspace. */
export const folderOption = (help: string): Parameter<number | undefined> =>
  optional(integer('id'), `${help}; 0: the root of the workspace`)

/** The root is null in the body of a change. */
export const folderField = (folder: number | undefined): { folderId?: number | null } =>
  folder === undefined ? {} : { folderId: folder === 0 ? null : folder }
