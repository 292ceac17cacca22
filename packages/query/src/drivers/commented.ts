/** The statement with a comment behind it, by which a database's own log can be joined with this server's. */
export function commented(sql: string, comment: string | undefined): string {
  if (comment === undefined) return sql
  return `${sql}\n/* ${comment.replace(/[^\w .:=,;@-]/g, '').slice(0, 200)} */`
}
