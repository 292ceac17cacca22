import { errorCodes, errorStatus, errorTemplate } from './errors.ts'
import { openApiDocument } from './openapi.ts'
import { routeList } from './routes.ts'

const errorPage = () =>
  `# Errors of the platform API

Every error is JSON: \`{ "statusCode", "error", "message", "code" }\`. \`code\` is one of these and does not change; \`message\` says
what is wrong with which value and what to do. The data API answers \`{ "error" }\`, as its clients read it. This page is made
from the table in packages/contract/src/errors.ts by \`npm run generate -w @hedron/contract\`.

| code | status | message |
|---|---|---|
${errorCodes.map(code => `| \`${code}\` | ${errorStatus(code)} | ${errorTemplate(code).replaceAll('|', '\\|')} |`).join('\n')}
`

/** The files that are made from the routes, path inside the package to content; a test holds them to be up to date. */
export function generatedFiles(): ReadonlyMap<string, string> {
  const rows = routeList
    .map(route => `  ${route.operationId}: ['${route.method}', '${route.path}'],`)
    .sort()
    .join('\n')
  return new Map([
    ['../../docs/errors.md', errorPage()],
    ['openapi.json', `${JSON.stringify(openApiDocument(routeList, 'http://localhost:4000'), null, 2)}\n`],
    [
      'src/generated/operations.ts',
      `// Generated from the routes by \`npm run generate\`. Method and path of each operation.\nexport const operations = {\n${rows}\n} as const\n`,
    ],
  ])
}
