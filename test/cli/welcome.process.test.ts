/** The welcome document of a new space that is created by the command line. */
import { describe, expect, test } from 'vitest'
import { connectProcess, type Program, root, run, runHere, start, structured } from '../program.ts'
import { audit, hostStarts, newFile, script, titlesIn, WELCOME } from './new-spaces.ts'

describe('a new space begins with a welcome document', () => {
  test('over stdio, once, in the audit log as by Scriptorium', async () => {
    const file = newFile()
    await hostStarts(file)
    await hostStarts(file)
    expect(await titlesIn(file)).toEqual(WELCOME)
    expect(await audit(file)).toMatchObject([{ author: 'Scriptorium', endpoint: 'documents_add' }])
  })

  test('served over HTTP', async () => {
    const file = newFile()
    const server = start(['serve', '--port', '0', '--space', file])
    await server.until(/Serving at/)
    expect(await titlesIn(file)).toEqual(WELCOME)
    await server.end()
  })

  test.each([[['links', 'add']], [['participants', 'add', 'Anna']]])('created by %j', async (args) => {
    const file = newFile()
    expect((await runHere([...args, '--space', file])).code).toBe(0)
    expect(await titlesIn(file)).toEqual(WELCOME)
  })

  test('on narrow connections, too, whatever their access', async () => {
    const file = newFile()
    await hostStarts(file, '--kind', 'daily', '--access', 'read')
    expect(await titlesIn(file)).toEqual(WELCOME)
  })

  test('once, if several processes create the space at the same time', async () => {
    const file = newFile()
    const program: Program = { script, cwd: root }
    await Promise.all([
      hostStarts(file),
      hostStarts(file),
      ...[1, 2].map(() => run(['links', 'list', '--space', file], {}, '', program)),
    ])
    expect(await titlesIn(file)).toEqual(WELCOME)
    expect(await audit(file)).toHaveLength(1)
  })

  test('that is short, adds no task, and can be deleted permanently', async () => {
    const file = newFile()
    await hostStarts(file)
    const client = await connectProcess(file)
    const [{ id }] = (await structured(client, 'documents_list')).items
    const page = (await client.callTool({ name: 'blocks_get', arguments: { id, format: 'markdown' } })).content
    const text = (page as { text: string }[])[0]?.text ?? ''
    for (const word of ['Documents', 'Daily notes', 'Tasks', 'Collections', 'delete it']) expect(text).toContain(word)
    expect(text.split('\n').filter((line) => line.trim() !== '').length).toBeLessThanOrEqual(20)
    for (const scope of ['active', 'undated', 'inbox']) {
      expect((await structured(client, 'tasks_list', { scope })).items).toEqual([])
    }
    await structured(client, 'documents_delete', { documentIds: [id] })
    await client.close()
    await hostStarts(file)
    expect(await titlesIn(file)).toEqual([])
  })
})
