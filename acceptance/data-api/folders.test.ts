import { expect, test } from 'vitest'
import { sharedApi } from '../support/api.ts'
import { createDataClient } from './data-client.ts'
import { createProject } from './project.ts'
import { shop } from './shop.ts'

const files = {
  ...shop,
  'model/views/sales.yml': `views:
  - name: sales
    cubes:
      - { join_path: orders, includes: [status, total, count] }
    folders:
      - name: Order
        includes:
          - status
          - { name: Money, includes: [total] }
`,
}

test('folders inside folders are merged for clients, or named by their path where the deployment says how', async () => {
  const api = sharedApi()
  const foldersOf = async (variables: Readonly<Record<string, string>>) => {
    const data = await createDataClient(api, await createProject(api, files, variables))
    const { body } = await data.get('meta', {})
    const sales = JSON.parse(JSON.stringify(body.cubes)).find(({ name }: { name: string }) => name === 'sales')
    return sales.folders
  }
  expect(await foldersOf({})).toEqual([{ name: 'Order', members: ['sales.status', 'sales.total'] }])
  expect(await foldersOf({ CUBEJS_NESTED_FOLDERS_DELIMITER: ' / ' })).toEqual([
    { name: 'Order', members: ['sales.status'] },
    { name: 'Order / Money', members: ['sales.total'] },
  ])
})
