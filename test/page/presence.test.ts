/** Who has a document open. */
import { expect, test } from 'vitest'
import { MAX_OPEN_DOCUMENTS, OPEN_PAGES_PER_DOCUMENT, PRESENCE_SECONDS } from '../../src/base/limits.ts'
import { Presence } from '../../src/page/documents/presence.ts'
import { program } from './sample-space.ts'
import { servePages, visitAsOperator, visitByLink } from './visiting.ts'

test('pages of a document see each other while they are open, and for some seconds after', () => {
  const presence = new Presence()
  expect(presence.meet('plan', 'a', 'Anna', 0)).toEqual([])
  expect(presence.meet('plan', 'b', 'Bela', 1_000)).toEqual(['Anna'])
  expect(presence.meet('plan', 'c', 'Bela', 1_000)).toEqual(['Anna', 'Bela'])
  expect(presence.meet('diary', 'd', 'Cili', 1_000)).toEqual([])
  presence.leave('plan', 'c')
  expect(presence.meet('plan', 'a', 'Anna', 2_000)).toEqual(['Bela'])
  expect(presence.meet('plan', 'a', 'Anna', 1_000 + PRESENCE_SECONDS * 1000)).toEqual(['Bela'])
  expect(presence.meet('plan', 'a', 'Anna', 1_001 + PRESENCE_SECONDS * 1000)).toEqual([])
})

test('the number of remembered pages is limited', () => {
  const presence = new Presence()
  for (let page = 0; page <= OPEN_PAGES_PER_DOCUMENT; page++) presence.meet('plan', `p${page}`, `Name ${page}`, 0)
  expect(presence.meet('plan', 'p0', 'Name 0', 0)).toHaveLength(OPEN_PAGES_PER_DOCUMENT - 1)
  for (let document = 0; document < MAX_OPEN_DOCUMENTS; document++) presence.meet(`d${document}`, 'a', 'Anna', 0)
  expect(presence.meet('plan', 'b', 'Bela', 0)).toEqual([])
})

test('people and agents in a document are shown to those who reach it', async () => {
  const serving = await servePages()
  const codex = program(serving.space, 'codex')
  const { items } = await codex('documents_add', { documents: [{ title: 'Plan' }, { title: 'Secret' }] })
  const [plan, secret] = items.map(({ id }: { id: string }) => id)
  const [one, other] = [
    await visitAsOperator(serving),
    await visitByLink(serving, { kind: 'selected', documents: [plan] }),
  ]
  const ask = (visitor: typeof one, id: string, page: string) => visitor.get(`/d/${id}/people?page=${page}`)
  expect((await ask(one, plan, 'pageofone')).text).toBe('<li class="program">codex</li>')
  // A link sees what happened since it was created.
  await codex('blocks_add', { markdown: 'A word.', position: { position: 'end', pageId: plan } })
  const met = await ask(other, plan, 'pageofother')
  expect(met.text).toMatch(/^<li>[^<]+<\/li><li class="program">codex<\/li>$/)
  expect((await ask(other, secret, 'pageofother')).status).toBe(404)
  expect((await ask(one, plan, '../odd')).status).toBe(400)
})
