/** An import by an agent into documents that a person has locked. */
import { beforeEach, expect, test } from 'vitest'
import { setDocumentLock } from '../../src/space/documents/lock-documents.ts'
import { GivenId } from '../../src/space/model/ids.ts'
import { type AccessLink, OPERATOR_LINK } from '../../src/space/model/space.ts'
import { type Imported, imported } from './importing.ts'

let done: Imported
let id: string
let link: AccessLink

beforeEach(async () => {
  done = await imported({ 'Plan.md': 'one', 'Other.md': 'one' })
  id = await done.idOf('Plan')
  await done.space.write({ ...OPERATOR_LINK, author: 'Anna' }, async (view) => {
    const given = new GivenId(id)
    await view.resolveIds([given])
    return setDocumentLock(view, given, true)
  })
  link = await done.space.createAccessLink('full', [], 'Robot')
})

const message = () =>
  `Expected a document that agents may change, found ${id}, which Anna has locked; nothing was written. Ask a person to unlock it on its page.`

test('leaves them as they are, says so, and changes the others', async () => {
  const { counts, problems } = await done.again({ 'Plan.md': 'two', 'Other.md': 'two' }, { link })
  expect(counts).toMatchObject({ updated: 1, failed: 1 })
  expect(problems).toEqual([{ path: 'Plan.md', kind: 'failed', message: message() }])
  expect([await done.read('Plan'), await done.read('Other')]).toEqual(['one', 'two'])
})

test('keeps them if their files are gone', async () => {
  const { problems } = await done.again({ 'Other.md': 'one' }, { link, deletes: true })
  expect(problems).toContainEqual({ path: 'Plan.md', kind: 'failed', message: message() })
  expect(await done.read('Plan')).toBe('one')
})

test('by a person changes them', async () => {
  await done.again({ 'Plan.md': 'two', 'Other.md': 'one' })
  expect(await done.read('Plan')).toBe('two')
})
