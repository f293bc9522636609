/** The name and the time zone of a space can be changed while several processes have it open. */
import { expect, onTestFinished, test } from 'vitest'
import { getSettings, updateSettings } from '../../src/space/model/settings.ts'
import { OPERATOR_LINK } from '../../src/space/model/space.ts'
import { type OpenSpace, openSpace } from '../../src/space/open-space.ts'
import { buildSpace, NOW } from '../build.ts'
import { connect } from '../connect.ts'
import { folder } from '../program.ts'

const change = (space: OpenSpace, settings: { name?: string; timezone?: string }) =>
  space.write(OPERATOR_LINK, (view) => updateSettings(view, settings))
const zoneOf = (space: OpenSpace) => space.read(OPERATOR_LINK, async ({ timezone }) => timezone)

test('the next call uses the new time zone', async () => {
  const agent = await connect()
  agent.clock.now = Date.parse('2026-11-20T23:30:00Z')
  const today = async () =>
    (await agent.call('tasks_add', { tasks: [{ markdown: 'a', taskInfo: { scheduleDate: 'today' } }] })).items[0]
      .taskInfo.scheduleDate
  expect(await today()).toBe('2026-11-21')
  expect(await change(agent.space, { timezone: 'america/new_york' })).toEqual({
    name: 'Test',
    timezone: 'America/New_York',
    weekStart: 'language',
    dateLanguage: '',
  })
  expect(await today()).toBe('2026-11-20')
})

test('another process uses it within a second, also if its clock is set back', async () => {
  const file = `${folder()}/space.sqlite`
  const { space: one } = await buildSpace(file)
  for (const later of [1_000, -1_000]) {
    await change(one, { timezone: 'Europe/Budapest' })
    const { space: other, clock } = await buildSpace(file)
    expect(await zoneOf(other)).toBe('Europe/Budapest')
    await change(one, { timezone: 'Asia/Tokyo', name: 'Ours' })
    clock.now = NOW + later
    expect(await zoneOf(other)).toBe('Asia/Tokyo')
    expect(other.info.name).toBe('Ours')
  }
})

test('a refused change, and one that is rolled back, change nothing', async () => {
  const { space } = await buildSpace()
  await expect(change(space, { name: 'Ours', timezone: 'Mars' })).rejects.toThrow(
    'Expected the IANA name of a time zone such as Europe/Budapest, found "Mars".',
  )
  await expect(change(space, { name: '' })).rejects.toThrow('Expected the name of the space')
  await space.writeAndRollBack(OPERATOR_LINK, (view) => updateSettings(view, { timezone: 'Asia/Tokyo' }))
  expect(await space.read(OPERATOR_LINK, getSettings)).toEqual({
    name: 'Test',
    timezone: 'Europe/Budapest',
    weekStart: 'language',
    dateLanguage: '',
  })
  expect(await zoneOf(space)).toBe('Europe/Budapest')
})

test('whoever opens an existing space with other settings is told that it keeps its own', async () => {
  const file = `${folder()}/space.sqlite`
  await buildSpace(file)
  const reported: string[] = []
  const report = (sentence: string) => void reported.push(sentence)
  const open = async (options: { name?: string; timezone?: string }) => {
    const space = await openSpace(file, { report, ...options })
    onTestFinished(() => space.close())
    return space
  }
  await open({ name: 'Test', timezone: 'europe/budapest' })
  expect(reported).toEqual([])
  expect(await zoneOf(await open({ name: 'Theirs', timezone: 'asia/tokyo' }))).toBe('Europe/Budapest')
  expect(reported).toEqual([
    'The space keeps its name Test, not Theirs; to change it, run scriptorium settings --name.',
    'The space keeps its time zone Europe/Budapest, not Asia/Tokyo; to change it, run scriptorium settings --timezone.',
  ])
})
