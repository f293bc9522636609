/** Suggestions on the pages of a served space, in a browser without scripts: who sees them, and what deciding does. */
import { beforeEach, expect, test } from 'vitest'
import { type Program, program } from './sample-space.ts'
import { servePages, textOf, type Visitor, visitAsOperator, visitByLink } from './visiting.ts'

let serving: Awaited<ReturnType<typeof servePages>>
let visitor: Visitor
let anna: Program
let research: Program
let plan: string
let first: string

beforeEach(async () => {
  serving = await servePages()
  visitor = await visitAsOperator(serving)
  anna = program(serving.space, 'editor')
  research = program(serving.space, 'research', { author: 'Robot', access: 'propose' })
  const { items } = await anna('documents_add', { documents: [{ title: 'Plan', markdown: 'Permits take six weeks.' }] })
  plan = items[0].id
  first = (await anna('blocks_get', { id: plan })).content[0].id
})

const text = async () => (await anna('blocks_get', { id: first })).markdown
const propose = (markdown: string) => research('blocks_update', { blocks: [{ id: first, markdown }] })

test('a change is drawn in the document, counted, and accepted in place', async () => {
  await propose('Permits take nine weeks.')
  const page = await visitor.get(`/d/${plan}`)
  expect(page.text).toContain('Permits take <del class="old">six</del><ins class="new">nine</ins> weeks.')
  expect(textOf(page)).toContain('1 suggestion')
  expect(page.text).toContain('aria-label="A suggestion waits"')
  const after = await visitor.press(page, 'Accept')
  expect(textOf(after)).toContain('Approved.')
  expect(await text()).toBe('Permits take nine weeks.')
  expect(after.text).not.toContain('class="suggestion')
})

test('what is suggested for comments is said in sentences, and accepted at their block or on its page', async () => {
  const comments = async () => (await anna('comments_list', { documentId: plan })).items
  const { commentId } = await anna('comments_add', {
    comments: [{ blockId: first, content: 'Who says so?', words: 'six weeks' }],
  })
  await research('comments_add', { comments: [{ commentId, content: 'I do.\nSince today.' }] })
  await research('comments_update', { comments: [{ commentId, resolved: true }] })
  const page = await visitor.get(`/d/${plan}`)
  expect(textOf(page)).toContain('Adds a comment by Robot on six weeks in Permits take six weeks.')
  expect(textOf(page)).toContain('Answers the comment by Anna on Permits take six weeks.')
  expect(textOf(page)).toContain('Resolves the comment by Anna on six weeks in Permits take six weeks.')
  expect(page.text).not.toContain('Read all of it')
  const after = await visitor.press(page, 'Accept')
  expect((await comments()).map(({ content }: { content: string }) => content)).toContain('I do.\nSince today.')
  const { items } = await anna('proposals_list', { state: 'waiting' })
  const alone = await visitor.get(`/waiting/${items[0].proposalId}`)
  expect(textOf(alone)).toContain('Resolves the comment by Anna on six weeks in Permits take six weeks. : Who says so?')
  expect(textOf(alone)).not.toContain('Requested')
  await visitor.press(after, 'Accept')
  const texts = JSON.stringify(await comments())
  expect(texts).not.toContain('Who says so?')
})

test('what was shown before it changed is not accepted, and is shown again', async () => {
  await propose('Permits take nine weeks.')
  const page = await visitor.get(`/d/${plan}`)
  await anna('blocks_update', { blocks: [{ id: first, markdown: 'All permits take six weeks.' }] })
  const again = await visitor.press(page, 'Accept')
  expect(textOf(again)).toContain('would change something else by now')
  expect(await text()).toBe('All permits take six weeks.')
})

test.each(['read', 'comment'] as const)(
  'with access %s, a page has the same bytes with and without suggestions',
  async (access) => {
    const reader = await visitByLink(serving, { access })
    const same = async () => {
      const { text } = await reader.get(`/d/${plan}`)
      return text
        .replace(/ data-(?:cursor|token)="[^"]*"|name="token" value="[^"]*"/g, '')
        .replace(/>[^<]* ago</g, '><')
    }
    const before = await same()
    await propose('Permits take nine weeks.')
    await research('documents_add', { documents: [{ title: 'Secret', markdown: 'Words.' }] })
    expect(await same()).toBe(before)
  },
)

test('a proposed document is listed as proposed, opens as a preview, and is there once it is accepted', async () => {
  const { items } = await research('documents_add', { documents: [{ title: 'Insurance', markdown: '- [ ] Ask them' }] })
  expect(textOf(await visitor.get('/'))).toContain('Insurance proposed')
  const preview = await visitor.get(`/d/${items[0].id}`)
  expect(preview.status).toBe(200)
  expect(textOf(preview)).toContain('suggests this document. It is not there until somebody accepts it.')
  expect(preview.text).toContain('<p class="in-list"><span class="marker">☐</span> Ask them</p>')
  const reader = await visitByLink(serving, { access: 'read' })
  expect((await reader.get(`/d/${items[0].id}`)).status).toBe(404)
  const found = await anna('documents_search', { include: ['Insurance'] })
  expect(JSON.stringify(found)).not.toContain(items[0].id)
  await visitor.press(preview, 'Accept')
  expect(await anna('blocks_get', { id: items[0].id })).toMatchObject({ type: 'page' })
})

test('a link that proposes sees its own suggestions, and takes them back', async () => {
  const link = await visitByLink(serving, { access: 'propose', name: 'Robot' })
  const page = await link.get(`/d/${plan}`)
  const token = /data-token="([^"]*)"/.exec(page.text)?.[1] ?? ''
  await fetch(`${link.base}/calls`, {
    method: 'POST',
    headers: {
      ...{ cookie: link.cookie, origin: new URL(link.base).origin },
      ...{ 'x-form-token': token, 'content-type': 'application/json' },
    },
    body: JSON.stringify({ tool: 'blocks_update', arguments: { blocks: [{ id: first, markdown: 'Of Robot.' }] } }),
  })
  const own = await link.get(`/d/${plan}`)
  expect(own.text).not.toContain('>Accept<')
  const after = await link.press(own, 'Withdraw')
  expect(textOf(after)).toContain('Withdrawn.')
  expect(after.text).not.toContain('class="suggestion')
  expect((await anna('proposals_list', { state: 'all' })).items).toMatchObject([{ state: 'ended' }])
})

test('exports and copies have the text alone', async () => {
  await propose('Permits take nine weeks.')
  expect(await anna('blocks_get', { id: plan, format: 'markdown' })).not.toContain('nine')
  const exported = await visitor.get(`/export/file?document=${plan}&format=html`)
  expect(exported.text).not.toContain('nine')
})
