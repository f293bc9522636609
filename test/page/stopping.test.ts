/** Stop, Resume and Undo its last hour, beside the name of a link: for the person who may manage it, and nobody else. */
import { beforeEach, describe, expect, test } from 'vitest'
import { documentBy, type Serving, type TestLink } from '../http/serving.ts'
import { program } from './sample-space.ts'
import { offers, servePages, textOf, type Visitor, visitAsOperator, visitByLink } from './visiting.ts'

let serving: Serving
let visitor: Visitor
let robot: TestLink
let plan: string

beforeEach(async () => {
  serving = await servePages()
  visitor = await visitAsOperator(serving)
  robot = await serving.link({ name: 'Robot' })
  plan = await documentBy({ ask: (line, body) => robot.ask(`${line}?ids=short`, body) }, 'First words.', 'Plan')
  serving.clock.now += 2 * 60 * 60_000
})

const add = (markdown: string, link = robot) =>
  link.ask('POST /blocks', { markdown, position: { position: 'end', pageId: plan } })
const texts = async () =>
  (await program(serving.space, 'editor')('blocks_get', { id: plan })).content.map(
    ({ markdown }: { markdown: string }) => markdown,
  )

describe('Stop', () => {
  test('refuses the next call, until it is resumed', async () => {
    expect((await add('one')).status).toBe(200)
    const stopped = await visitor.press(await visitor.get('/links'), 'Stop')
    expect(textOf(stopped)).toContain('Stopped. Its calls are refused, and what happens waits, until you resume it.')
    expect(textOf(stopped)).toMatch(/Robot stopped now The whole space/)
    expect((await add('two')).json).toMatchObject({ code: 'LINK_PAUSED' })
    expect(textOf(await visitor.get('/now'))).toContain('You paused or resumed a link')
    const resumed = await visitor.press(stopped, 'Resume')
    expect(textOf(resumed)).toContain('It may make calls again.')
    expect((await add('three')).status).toBe(200)
    expect(await texts()).toEqual(['First words.', 'one', 'three'])
  })

  test('stops a link with which somebody uses the pages', async () => {
    const other = await visitByLink(serving, { name: 'Ben' })
    const { text } = await visitor.get('/links')
    const [, path = ''] =
      /action="[^"]*(\/links\/\w+\/pause)"[^>]*>(?:(?!<\/form>).)*aria-label="Stop Ben"/.exec(text) ?? []
    await visitor.post(path)
    const refused = await other.get('/')
    expect(refused.status).toBe(403)
    expect(textOf(refused)).toContain('found that a person paused this one')
  })

  test('is for nobody else, and not for forms of other sites', async () => {
    const id = robot.info.id
    for (const access of ['full', 'read'] as const) {
      const other = await visitByLink(serving, { access })
      for (const path of ['pause', 'resume', 'undo'])
        expect((await other.post(`/links/${id}/${path}`)).status).toBe(404)
      expect((await other.get(`/links/${id}/undo`)).status).toBe(404)
    }
    expect((await visitor.post(`/links/${id}/pause`, {}, { origin: 'https://evil.example' })).status).toBe(403)
    expect((await visitor.post(`/links/${id}/pause`, { token: 'guessed' })).status).toBe(403)
    for (const line of ['PUT /links/paused', 'POST /links/paused'])
      expect((await robot.ask(line, { linkId: id, isPaused: true })).status).toBe(404)
    expect((await add('still')).status).toBe(200)
  })

  test('is not offered for a link that has ended', async () => {
    await visitor.press(await visitor.get('/links'), 'Revoke Robot')
    expect(offers(await visitor.get('/links'), 'Stop')).toBe(false)
    const refused = await visitor.post(`/links/${robot.info.id}/pause`)
    expect(refused.status).toBe(400)
  })
})

test('Now lists the calls of a program without sessions by its link, each with Stop', async () => {
  await add('one')
  await add('two')
  const now = await visitor.get('/now')
  expect(textOf(now)).toMatch(/Who wrote Robot 3 changes, now working on Plan, now Undo all since .*… Stop/)
  const [, path = ''] = /href="[^"]*(\/undo\?link=[^"]*)"/.exec(now.text) ?? []
  expect(textOf(await visitor.get(path.replaceAll('&amp;', '&')))).toContain('3 changes would be taken back')
  expect(textOf(await visitor.get(`/now?link=${robot.info.id}`))).toContain('Changes of Robot · All changes')
  expect(textOf(await visitor.press(now, 'Stop'))).toContain('Stopped.')
  const other = await visitByLink(serving)
  expect(offers(await other.get('/now'), 'Stop')).toBe(false)
})

describe('Undo its last hour', () => {
  const question = () => visitor.get(`/links/${robot.info.id}/undo`)

  test('shows what would change, takes it back, and can be taken back', async () => {
    await add('one')
    serving.clock.now += 10 * 60_000
    await add('two')
    await add('by another', await serving.link({ name: 'Other' }))
    const shown = await question()
    expect(textOf(shown)).toContain(
      'Take back the last hour of Robot? 2 changes would be taken back: Plan: 2 blocks deleted',
    )
    expect(textOf(shown)).toContain('It keeps making calls; stop it first if it should not.')
    expect(await texts()).toHaveLength(4)
    const after = await visitor.press(shown, 'Undo')
    expect(textOf(after)).toContain('Taken back.')
    expect(await texts()).toEqual(['First words.', 'by another'])
    expect(textOf(await visitor.get('/now'))).toContain('You took back: Deleted 2 blocks in Plan')
    await visitor.press(after, 'Redo')
    expect(await texts()).toEqual(['First words.', 'one', 'two', 'by another'])
  })

  test('works on a link that is stopped, and leaves what others changed later', async () => {
    await add('one\n\ntwo')
    const anna = program(serving.space, 'editor')
    const { content } = await anna('blocks_get', { id: plan })
    await anna('blocks_update', { blocks: [{ id: content[1].id, markdown: 'mine' }] })
    await visitor.press(await visitor.get('/links'), 'Stop')
    const shown = await question()
    expect(textOf(shown)).toContain('This was changed later and stays as it is: Changed a block in Plan')
    expect(textOf(shown)).not.toContain('It keeps making calls')
    expect(textOf(await visitor.press(shown, 'Undo the rest'))).toContain('but for what others changed later')
    expect(await texts()).toEqual(['First words.', 'mine'])
  })

  test('says so if there is nothing', async () => {
    const shown = await question()
    expect(shown.status).toBe(409)
    expect(textOf(shown)).toContain('It has changed nothing in the last hour that still stands.')
    expect((await visitor.get('/links/none/undo')).status).toBe(404)
  })
})
