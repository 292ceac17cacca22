import { CodedError } from '@hedron/contract'
import { PathError, type PathErrorCode } from '../git/index.ts'

const reasons: Readonly<Record<PathErrorCode, string>> = {
  path_empty: 'it is empty; name a file, such as model/cubes/orders.yml',
  path_too_long: 'it is longer than 1024 bytes',
  path_segment_too_long: 'a name in it is longer than 255 bytes',
  path_not_unicode: 'it is not valid Unicode',
  path_control_character: 'a control character is in it',
  path_backslash: 'a backslash is in it; separate folders with /',
  path_absolute: "it is absolute; begin at the project's root",
  path_empty_segment: 'a name between slashes or at its end is empty',
  path_dot_segment: "a . or .. is in it; begin at the project's root and take no steps",
  path_git_directory: "a name in it is reserved for git's own folder",
  path_file_and_directory: 'it would be a file and a folder at once; delete or rename one of the two',
}

/** A refusal to a caller for a path that git's rules refuse. */
export const pathInvalid = (error: PathError): CodedError =>
  new CodedError('path_invalid', { path: error.path, reason: reasons[error.code] })

/** Turns a refusal of git's rules into one to the caller. @throws {CodedError} `path_invalid`. */
export async function explainingPaths<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    throw error instanceof PathError ? pathInvalid(error) : error
  }
}
