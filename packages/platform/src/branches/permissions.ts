/** Permissions that let a caller write on dev branches. */
export const changeDevBranches = ['SchemaUpdateDevBranches', 'SchemaUpdate'] as const
