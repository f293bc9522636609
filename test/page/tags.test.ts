/** The list of tags, and the list of what has one. */
import { expect, test } from 'vitest'
import { program } from './sample-space.ts'
import { servePages, textOf, visitAsOperator, visitByLink } from './visiting.ts'

test('tags are listed with their counts, and lead to documents and tasks', async () => {
  const serving = await servePages()
  const anna = program(serving.space, 'editor')
  const { items } = await anna('documents_add', {
    documents: [
      { title: 'One', markdown: 'about #project/alpha\n\n- [ ] call #project' },
      { title: 'Two', markdown: '```yaml\ntags: [Project]\n```\n\nother' },
      { title: 'Three', markdown: 'secret #hidden' },
    ],
  })
  const visitor = await visitAsOperator(serving)
  const all = await visitor.get('/tags')
  expect(textOf(all)).toMatch(/#Project\s*2 documents\s*1 open task\s*#project\/alpha\s*1 document/)
  expect((await visitor.get(`/d/${items[0].id}`)).text).toContain('/tags?tag=project%2Falpha')
  const one = textOf(await visitor.get('/tags?tag=PROJECT'))
  for (const name of ['One', 'Two', 'call #project']) expect(one).toContain(name)
  expect(one).not.toContain('Three')
  expect(textOf(await visitor.get('/tags?tag=project%2Falpha'))).toContain('One')
  expect(textOf(await visitor.get('/tags?tag=none'))).toContain('No document has this tag.')
  // A narrow link sees what it reaches.
  const narrow = await visitByLink(serving, { kind: 'selected', documents: [items[0].id] })
  const seen = textOf(await narrow.get('/tags'))
  expect(seen).toMatch(/#project\s*1 document\s*1 open task/)
  expect(seen).not.toContain('hidden')
  const daily = await visitByLink(serving, { kind: 'daily' })
  expect(textOf(await daily.get('/tags'))).toContain('Tags show up here.')
  expect(textOf(await daily.get('/tags?tag=project'))).not.toContain('call')
})
