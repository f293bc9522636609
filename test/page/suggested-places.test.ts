/** A suggestion says where it would put something, if that is not on the page where it is decided on. */
import { expect, test } from 'vitest'
import { program } from './sample-space.ts'
import { servePages, type Visited, visitAsOperator } from './visiting.ts'

/** What suggestions do, without what they contain. */
const doneIn = ({ text }: Visited): string[] =>
  [...text.matchAll(/<p class="by">(.*?)<\/p>/g)].map(([, words = '']) => words.replace(/<[^>]*>/g, ''))

test('to another page, and to another document', async () => {
  const serving = await servePages()
  const robot = program(serving.space, 'Robot')
  const inner = '<page>\n<pageTitle>Inner</pageTitle>\n<content>\nthree\n</content>\n</page>'
  const { items } = await robot('documents_add', {
    documents: [{ title: 'Plan', markdown: `one\n\ntwo\n\n${inner}` }, { title: 'Public <b>' }],
  })
  const [plan, other] = items.map(({ id }: { id: string }) => id)
  const [one, two, page] = (await robot('blocks_get', { id: plan })).content.map(({ id }: { id: string }) => id)
  const suggesting = program(serving.space, 'Sly', { access: 'propose' })
  const endOf = (pageId: string) => ({ position: 'end', pageId })
  await suggesting('blocks_move', { blockIds: [one], position: endOf(other) })
  await suggesting('blocks_move', { blockIds: [two], position: endOf(page) })
  await suggesting('blocks_add', { markdown: 'four', position: endOf(page) })
  const visitor = await visitAsOperator(serving)
  const shown = await visitor.get(`/d/${plan}`)
  expect(doneIn(shown)).toEqual([
    'Sly moves this to \u201cPublic &lt;b&gt;\u201d',
    'Sly moves this to \u201cInner\u201d',
    'Sly adds this to \u201cInner\u201d',
  ])
  expect(shown.text).toContain('aria-label="Suggestion by Sly: move \u201cone\u201d to \u201cPublic &lt;b&gt;\u201d"')
  expect(doneIn(await visitor.get(`/d/${plan}`, { 'accept-language': 'de' }))).toContain(
    'Sly verschiebt das auf \u201ePublic &lt;b&gt;\u201c',
  )
  // Where it would stand, it stands, and the page that it leaves is not that one.
  expect(doneIn(await visitor.get(`/d/${page}`))).toEqual([
    ...['Sly moves this here', 'Sly adds this', 'Sly moves this to \u201cPublic &lt;b&gt;\u201d', 'Sly moves this'],
  ])
})

test('the parts of a proposal say so as well', async () => {
  const serving = await servePages()
  const robot = program(serving.space, 'Robot')
  const documents = [{ title: 'Plan', markdown: 'one' }, { title: 'Other' }]
  const { items } = await robot('documents_add', { documents })
  const [plan, pageId] = items.map(({ id }: { id: string }) => id)
  const [one] = (await robot('blocks_get', { id: plan })).content
  const position = { position: 'end', pageId }
  const calls = [
    { tool: 'blocks_move', arguments: { blockIds: [one.id], position } },
    { tool: 'blocks_add', arguments: { markdown: 'two', position } },
  ]
  await program(serving.space, 'Sly', { access: 'propose' })('batch', { calls })
  const [{ proposalId }] = (await robot('proposals_list', {})).items
  const { text } = await (await visitAsOperator(serving)).get(`/waiting/${proposalId}`)
  const heads = [...text.matchAll(/<h3>(.*?)<\/h3>/g)].map(([, head]) => head)
  expect(heads).toEqual(['1. Move to \u201cOther\u201d', '2. Add to \u201cOther\u201d'])
})
