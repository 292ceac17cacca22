import * as z from 'zod'
import { problem } from './document-problem.ts'
import type { DocumentRequest } from './read-document.ts'

const Variables = z.record(z.string(), z.unknown())

/** A body, or a query string with variables as JSON text (GraphQL over HTTP). */
const Request = z.object({
  query: z.string().min(1),
  operationName: z.string().nullish(),
  variables: z.union([Variables, z.string()]).nullish(),
})

/** @throws {DocumentProblem} */
export function readRequest(raw: unknown): DocumentRequest {
  if (Array.isArray(raw)) throw problem('Several documents in one request are not answered. Send one each.')
  const { success, data, error } = Request.safeParse(raw ?? {})
  if (!success) {
    const [issue] = error.issues
    throw problem(
      issue?.path[0] === 'query' ? 'Must provide query string.' : `"${String(issue?.path[0])}" is not valid.`,
    )
  }
  const { query, operationName, variables } = data
  return {
    query,
    operationName: operationName || undefined,
    variables: typeof variables === 'string' ? parseVariables(variables) : (variables ?? {}),
  }
}

function parseVariables(text: string): Readonly<Record<string, unknown>> {
  if (text.trim() === '') return {}
  try {
    return Variables.parse(JSON.parse(text) ?? {})
  } catch {
    throw problem('Variables are invalid JSON.')
  }
}
