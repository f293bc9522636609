/** The declarations of a connection with typed answers compile, with a program that uses them. */
import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { connect } from '../connect.ts'
import { folder } from '../program.ts'

const TSC = join(import.meta.dirname, '../../node_modules/typescript/bin/tsc')

test('the declarations compile, with a program that uses them', async () => {
  const { client } = await connect('full', { caller: { answers: 'typed' } })
  const { resources } = await client.listResources()
  const uri = resources.find(({ name }) => name === 'tools.d.ts')?.uri ?? ''
  const { contents } = await client.readResource({ uri })
  const [{ text = '' } = {}] = contents as { text?: string }[]
  const program = `
import type { Tools } from './tools.js'
export async function titles(tools: Tools): Promise<string[]> {
  const { items } = await tools.documents_list({ location: 'unsorted' })
  const block = await tools.blocks_get({ id: items[0]!.id })
  await tools.tasks_add({ tasks: [{ markdown: block.markdown }] })
  return items.map((one) => one.title)
}
// @ts-expect-error a title is text
export const wrong = (tools: Tools) => tools.documents_add({ documents: [{ title: 5 }] })
`
  const at = folder()
  writeFileSync(join(at, 'tools.d.ts'), text)
  writeFileSync(join(at, 'program.ts'), program)
  const options = [
    '--strict',
    '--noEmit',
    '--target',
    'es2022',
    '--module',
    'nodenext',
    '--types',
    '',
    '--ignoreConfig',
  ]
  const { stdout, status } = spawnSync(process.execPath, [TSC, ...options, join(at, 'program.ts')], {
    encoding: 'utf8',
  })
  expect(stdout).toBe('')
  expect(status).toBe(0)
})
