import { openApiDocument } from './openapi.ts'
import { routeList } from './routes.ts'

/** The files that are made from the routes, path inside the package to content; a test holds them to be up to date. */
export function generatedFiles(): ReadonlyMap<string, string> {
  const rows = routeList
    .map(route => `  ${route.operationId}: ['${route.method}', '${route.path}'],`)
    .sort()
    .join('\n')
  return new Map([
    ['openapi.json', `${JSON.stringify(openApiDocument(routeList, 'http://localhost:4000'), null, 2)}\n`],
    [
      'src/generated/operations.ts',
      `// Generated from the routes by \`npm run generate\`. Method and path of each operation.\nexport const operations = {\n${rows}\n} as const\n`,
    ],
  ])
}
