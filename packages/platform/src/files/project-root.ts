/** What stands before the paths of a project inside its repository: `` or `analytics/`. */
export function rootPrefix(deployProjectRoot: string): string {
  const folder = deployProjectRoot.replaceAll(/^\/+|\/+$/g, '')
  return folder === '' ? '' : `${folder}/`
}
