import { problems } from '../../query-service-error.ts'

/**
 * Words that write, run something, or leave the transaction in which a query is rolled back. All are reserved
 * (learn.microsoft.com, "Reserved keywords (Transact-SQL)"): as a name each must stand in brackets or quotes, so outside of these
 * none is part of a query.
 */
const refused = new Set(
  `ALTER BACKUP BEGIN CHECKPOINT COMMIT CREATE DBCC DECLARE DELETE DENY DROP DUMP EXEC EXECUTE GRANT INSERT INTO KILL LOAD MERGE
  OPENDATASOURCE OPENQUERY OPENROWSET RAISERROR RECONFIGURE RESTORE REVERT REVOKE ROLLBACK SAVE SET SETUSER SHUTDOWN TRAN TRANSACTION
  TRIGGER TRUNCATE UPDATE UPDATETEXT WAITFOR WRITETEXT`.split(/\s+/),
)

/** What some of them also mean in a query: how to join, and a file that is read. */
const meansOtherwise: Readonly<Record<string, RegExp>> = {
  MERGE: /^\s+(?:JOIN|UNION)\b/i,
  OPENROWSET: /^\s*\(\s*BULK\b/i,
}

/**
 * One piece of Transact-SQL: quoted text, bracketed and quoted names, a comment, a number (which may touch the word behind it), a
 * word or a variable, or any other character. What does not end is taken as the opening character alone.
 */
const piece =
  /'[^']*(?:''[^']*)*'|"[^"]*(?:""[^"]*)*"|\[[^\]]*(?:\]\][^\]]*)*\]|--[^\n]*|0x[0-9a-f]*|\d+|[\p{L}_@#][\p{L}\p{N}_@#$]*|\/\*|./gisu

/** Characters that may end a line for one reader and not for another. */
const strangeLineEnd = /\r(?!\n|$)|[\v\f\u0085\u2028\u2029]/

/**
 * SQL Server has no transaction that cannot write, so a query runs in one that is rolled back; this keeps what would end that
 * transaction, or what no transaction takes back, from coming that far. It is the second wall of three: the login's rights
 * are the first one.
 *
 * @throws QueryServiceError `statement_refused`: more than one statement, one that does not begin as a query, a word of writing
 */
export function admitStatement(sql: string): void {
  let first: string | undefined
  let hasEnded = false
  for (let at = 0; at < sql.length; ) {
    piece.lastIndex = at
    const [found = ''] = piece.exec(sql) ?? []
    const end = found === '/*' ? endOfComment(sql, at) : at + found.length
    at = end
    if (found === '/*' || /^\s$/.test(found)) continue
    if (found.startsWith('--')) {
      if (strangeLineEnd.test(found))
        throw problems.statementRefused('a comment has a character that may end its line.')
      continue
    }
    if (found === "'" || found === '"' || found === '[') throw problems.statementRefused('a quote in it does not end.')
    if (found === ';') {
      // Before a query it ends nothing.
      hasEnded = first !== undefined
      continue
    }
    if (hasEnded) throw problems.statementRefused('it is more than one statement, and a query is one.')
    if (first === undefined && found === '(') continue
    const word = found.normalize('NFKC').toUpperCase()
    first ??= word
    if (refused.has(word) && !meansOtherwise[word]?.test(sql.slice(end, end + 200))) {
      throw problems.statementRefused(`it says ${word}, and queries only read. As a name it is written [${word}].`)
    }
  }
  // A procedure is run by its bare name where a batch begins.
  if (first !== 'SELECT' && first !== 'WITH') {
    throw problems.statementRefused('it begins with neither SELECT nor WITH, and queries only read.')
  }
}

/** Comments stand within comments. */
function endOfComment(sql: string, start: number): number {
  const mark = /\/\*|\*\//g
  mark.lastIndex = start
  let depth = 0
  for (let found = mark.exec(sql); found; found = mark.exec(sql)) {
    depth += found[0] === '/*' ? 1 : -1
    if (depth === 0) return mark.lastIndex
  }
  throw problems.statementRefused('a comment in it does not end.')
}
