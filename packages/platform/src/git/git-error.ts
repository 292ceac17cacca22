interface Details {
  object_missing: { id: string; wanted: string }
  object_type: { id: string; wanted: string; found: string }
  object_corrupt: { kind: string; reason: string }
  tree_too_large: { limit: number }
  tree_too_deep: { limit: number }
  request_malformed: { reason: string }
  request_unsupported: { feature: string }
  want_unknown: { id: string }
}

export type GitErrorCode = keyof Details

const messages: { readonly [Code in GitErrorCode]: (details: Details[Code]) => string } = {
  object_missing: ({ id, wanted }) =>
    `The ${wanted} ${id} is not in the object store. Restore the store from a backup or import the repository again.`,
  object_type: ({ id, wanted, found }) =>
    `Object ${id} is a ${found} where a ${wanted} is needed. Import the repository again.`,
  object_corrupt: ({ kind, reason }) =>
    `A ${kind} object cannot be read: ${reason}. Run \`git fsck\` in the repository that it came from.`,
  tree_too_large: ({ limit }) =>
    `The tree has more than ${limit} files and directories. Remove files, or split the project.`,
  tree_too_deep: ({ limit }) => `The tree has directories nested more than ${limit} deep. Flatten them and try again.`,
  request_malformed: ({ reason }) =>
    `The fetch request cannot be read: ${reason}. Use a git client of version 2.0 or later.`,
  request_unsupported: ({ feature }) =>
    `The fetch asks for ${feature}, which this server does not offer. Fetch the whole branch instead.`,
  want_unknown: ({ id }) => `No branch points at ${id}. Fetch again: the branch has moved meanwhile.`,
}

/** Something wrong in stored or imported objects, or in what a git client sent. */
export class GitError extends Error {
  readonly code: GitErrorCode

  constructor(code: GitErrorCode, message: string) {
    super(message)
    this.name = 'GitError'
    this.code = code
  }
}

/** The error of one code, with the sentence made from its details. */
export function gitError<Code extends GitErrorCode>(code: Code, details: Details[Code]): GitError {
  return new GitError(code, messages[code](details))
}
