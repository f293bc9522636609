/** Mentions in comments on the pages: the handle of a member, typed into a comment, calls them. */
import { expect, test } from 'vitest'
import type { LinkTarget } from '../../src/page/link-target.ts'
import { type Answer, connect } from '../connect.ts'
import { contentOf, documentOf } from '../document.ts'
import { servePages, visitAsOperator, visitByLink } from './visiting.ts'

test('a handle that is typed into a comment mentions its member, and is shown as it was typed', async () => {
  const serving = await servePages()
  await serving.link({ name: 'Robot', handle: 'robot' })
  const full = await connect('full', { to: serving })
  const document = await documentOf(full, 'one')
  const [block] = await contentOf(full, document)
  const { members } = await full.call('connection_get', {})
  const robot = members.find(({ handle }: Answer) => handle === 'robot').id
  const visitor = await visitAsOperator(serving)
  const read = async () =>
    (await full.call('blocks_get', { id: block.id, maxDepth: 0, fetchMetadata: true })).metadata.comments[0]

  const rest = 'and @nobody: `@robot`, anna@robot.example, https://example.org/@robot <i>'
  const back = `/d/${document}`
  await visitor.send('/comments/new', { block: block.id, text: `@Robot ${rest}`, back })
  const { id, content } = await read()
  expect(content).toBe(`[@Robot](person://${robot}) ${rest}`)
  const shown = `<b>@Robot</b> ${rest.replace('<i>', '&lt;i&gt;')}</p>`
  expect((await visitor.get(back)).text).toContain(shown)
  expect((await visitor.get(`/d/${document}/comments`)).text).toContain(shown)

  await visitor.send(`/comments/${id}/edit`, { text: `${content} (@robot)`, back })
  expect((await read()).content).toBe(`${content} ([@robot](person://${robot}))`)
})

test('a member out of reach is shown by the name in the mention, and a name by its characters', async () => {
  const serving = await servePages()
  const full = await connect('full', { to: serving })
  const document = await documentOf(full, 'one')
  const [block] = await contentOf(full, document)
  const text = '[@A\\_b](person://100000000009) [x](person://100000000009) [@open](https://example.org)'
  await full.call('comments_add', { comments: [{ blockId: block.id, content: text }] })
  const visitor = await visitAsOperator(serving)
  expect((await visitor.get(`/d/${document}`)).text).toMatch(
    /<b>@A_b<\/b> \[x\]\((?:person:\/\/100000000009|invalid:out_of_scope)\) \[@open\]\(https:\/\/example\.org\)<\/p>/,
  )
})

test('a comment with more handles than are looked up is refused, and its text stays in the form', async () => {
  const serving = await servePages()
  const full = await connect('full', { to: serving })
  const document = await documentOf(full, 'one')
  const [block] = await contentOf(full, document)
  const visitor = await visitAsOperator(serving)
  const text = Array.from({ length: 21 }, (_, n) => `@agent${n}`).join(' ')
  const refused = await visitor.post('/comments/new', { block: block.id, text, back: `/d/${document}` })
  expect(refused.text).toContain('Expected a comment with at most 20 different @ handles, found 21; divide it.')
  expect(refused.text).toContain(text)
})

test('members are offered to those who write a comment, and nothing else', async () => {
  const serving = await servePages()
  await serving.link({ name: 'Robot', handle: 'robot' })
  const full = await connect('full', { to: serving })
  const document = await documentOf(full, 'Ask the robot')
  await full.call('documents_add', { documents: [{ title: 'Robot plan' }] })
  const [block] = await contentOf(full, document)
  const visitor = await visitByLink(serving, { access: 'comment' })
  const form = await (await visitAsOperator(serving)).get(`/comments/new?block=${block.id}`)
  expect(form.text).toMatch(/<textarea [^>]*data-mentions/)
  const offered = async (query: string) => {
    const targets: LinkTarget[] = JSON.parse((await visitor.get(`/targets?kind=member&q=${query}`)).text)
    return targets.map(({ title, handle }) => `${title} ${handle}`)
  }
  expect(await offered('rob')).toEqual(['@Robot robot'])
  // Without a letter, the first members.
  for (let number = 0; number < 8; number++) await serving.link({ name: `Helper ${number}`, handle: `helper${number}` })
  expect(await offered('')).toHaveLength(5)
  expect(await offered('helper7')).toEqual(['@Helper 7 helper7'])
  // The editor offers days and documents for that, and no members.
  const others: LinkTarget[] = JSON.parse((await visitor.get('/targets?q=')).text)
  expect(others.filter(({ url }) => url.startsWith('person:'))).toEqual([])
})
