const rules = {
  path_empty: 'is empty. Name a file, such as model/cubes/orders.yml.',
  path_too_long: 'is longer than 1024 bytes. Use a shorter path.',
  path_segment_too_long: 'has a name longer than 255 bytes. Use shorter names.',
  path_not_unicode: 'is not valid Unicode. Use a path that can be written as UTF-8.',
  path_control_character: 'has a control character. Use printable characters.',
  path_backslash: 'has a backslash. Separate directories with a slash (/).',
  path_absolute: "is absolute. Give the path from the project's root.",
  path_empty_segment: 'has an empty name between slashes or at its end. Remove the extra slash.',
  path_dot_segment: "has a . or .. in it. Give the path from the project's root, without steps.",
  path_git_directory: "has a name that is reserved for git's own directory. Choose another name.",
  path_file_and_directory: 'would be a file and a directory at once. Delete or rename one of the two.',
}

export type PathErrorCode = keyof typeof rules

/** A path that cannot be stored. `path` is what the client sent. */
export class PathError extends Error {
  readonly code: PathErrorCode
  readonly path: string

  constructor(code: PathErrorCode, path: string, message: string) {
    super(message)
    this.name = 'PathError'
    this.code = code
    this.path = path
  }
}

/** The error for one rule. */
export function pathError(code: Exclude<PathErrorCode, 'path_file_and_directory'>, path: string): PathError {
  return new PathError(code, path, `The path ${shown(path)} ${rules[code]}`)
}

/** The error for a path that needs a directory where a file is, or a file where a directory is. */
export function collisionError(path: string, taken: string): PathError {
  const sentence = `The path ${shown(path)} cannot be written: ${shown(taken)} ${rules.path_file_and_directory}`
  return new PathError('path_file_and_directory', path, sentence)
}

/** Quoted, so that invisible characters show, and cut, so that an answer stays small. */
function shown(path: string): string {
  return JSON.stringify(path.length > 200 ? `${path.slice(0, 200)}…` : path)
}
