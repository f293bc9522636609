/** Revoking a link and removing a person on the page: who has open work is not removed without a decision about it. */
import { expect, test } from 'vitest'
import { OPERATOR_LINK } from '../../src/space/model/space.ts'
import { addParticipant } from '../../src/space/participants/participants.ts'
import { program } from './sample-space.ts'
import { servePages, textOf, visitAsOperator } from './visiting.ts'

async function served() {
  const serving = await servePages()
  await serving.space.write(OPERATOR_LINK, async (view) => {
    for (const name of ['Anna', 'Bob']) await addParticipant(view, name)
  })
  const call = program(serving.space, 'editor')
  const { members } = await call('connection_get')
  const idOf = (name: string): string => members.find((one: { name: string }) => one.name === name).id
  const give = async (markdown: string, assignee: string): Promise<string> =>
    (await call('tasks_add', { tasks: [{ markdown, taskInfo: { assignee } }] })).items[0].id
  const whoOf = async (id: string) => (await call('blocks_get', { id })).taskInfo.assignee?.name
  return { serving, visitor: await visitAsOperator(serving), idOf, give, whoOf }
}

test('a person without open work is removed at once, and one with it after a choice', async () => {
  const { visitor, give, whoOf, idOf } = await served()
  const removed = await visitor.press(await visitor.get('/links'), 'Remove Bob')
  expect(textOf(removed)).toContain('The person was removed.')
  const id = await give('Dig', 'Anna')
  const asked = await visitor.press(removed, 'Remove Anna')
  expect(textOf(asked)).toContain('What becomes of the work of Anna?')
  expect(textOf(asked)).toContain('There is still 1 open task.')
  expect(textOf(await visitor.get('/links'))).toContain('Remove Anna')
  const given = await visitor.press(asked, 'Remove them', { giveTo: idOf('Owner') })
  expect(textOf(given)).not.toContain('Remove Anna')
  expect(await whoOf(id)).toBe('Owner')
  expect(textOf(await visitor.get('/now'))).toContain('You removed a participant')
})

test('the work of a link stays with its name if the person says so', async () => {
  const { serving, visitor, give, whoOf } = await served()
  await serving.link({ name: 'Robot', participant: 'Anna' })
  const id = await give('Dig', 'Robot')
  const asked = await visitor.press(await visitor.get('/links'), 'Revoke Robot')
  expect(textOf(asked)).toContain('What becomes of the work of Robot?')
  const kept = await visitor.press(asked, 'Revoke the link', { giveTo: '' })
  expect(textOf(kept)).toContain('The link was revoked.')
  expect(await whoOf(id)).toBe('Robot')
})
