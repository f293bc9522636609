/** New and other spaces that the command line leaves without a welcome document. */
import { describe, expect, test } from 'vitest'
import { openSpace } from '../../src/space/open-space.ts'
import { connectWith, root, runHere, start, structured } from '../program.ts'
import { hostStarts, newFile, script, titlesIn } from './new-spaces.ts'

describe('there is no welcome document', () => {
  test('with --no-welcome, and then none later', async () => {
    const file = newFile()
    await hostStarts(file, '--no-welcome')
    await hostStarts(file)
    expect(await titlesIn(file)).toEqual([])
    for (const args of [['links', 'add'], ['participants', 'list'], ['log']]) {
      const other = newFile()
      await runHere([...args, '--no-welcome', '--space', other])
      expect(await titlesIn(other)).toEqual([])
    }
    const served = newFile()
    const server = start(['serve', '--port', '0', '--no-welcome', '--space', served])
    await server.until(/Serving at/)
    await server.end()
    expect(await titlesIn(served)).toEqual([])
  })

  test('in a space that existed before', async () => {
    const file = newFile()
    await (await openSpace(file)).close()
    await hostStarts(file)
    expect(await titlesIn(file)).toEqual([])
  })

  test('in a space that ends with the process', async () => {
    const client = await connectWith([script, 'stdio', '--space', ':memory:'], root)
    expect((await structured(client, 'documents_list')).items).toEqual([])
  })
})
