/** A REST call returns the same as over MCP. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { connect } from '../connect.ts'
import { documentOf } from '../document.ts'
import { runs } from '../support/runs.ts'
import { askForAll } from '../whole-answer.ts'
import { askerOf } from './rest-asker.ts'
import { queryOf } from './rest-request.ts'

test('reads: any request, including errors', async () => {
  const mcp = await connect()
  const ids = [
    await documentOf(
      mcp,
      '# Heading\n\nwords\n\n<page><pageTitle>Page</pageTitle><content>inner</content></page>',
      'One',
    ),
    await documentOf(mcp, '- [ ] task\n- list', 'Zwei & größer'),
    '00000000-0000-7000-8000-999999999999',
  ]
  const { ask } = await askerOf({ to: mcp })
  const id = fc.constantFrom(...ids)
  const optional = <T>(one: fc.Arbitrary<T>) => fc.option(one, { nil: undefined })
  const day = optional(fc.constantFrom('today', 'yesterday', '2026-11-20', '2026-02-30', 'soon'))
  const calls = fc.oneof(
    fc
      .record({
        id: optional(id),
        date: day,
        maxDepth: optional(fc.integer({ min: -2, max: 3 })),
        fetchMetadata: fc.boolean(),
        maxBlocks: fc.nat(5),
        format: optional(fc.constantFrom('json', 'markdown')),
      })
      .map((args) => ['blocks_get', '/blocks', args] as const),
    fc
      .record({
        location: optional(fc.constantFrom('unsorted', 'trash', 'nowhere')),
        documentIds: optional(fc.array(id, { minLength: 1 })),
        createdDateGte: day,
        limit: optional(fc.integer({ min: -1, max: 3 })),
        cursor: optional(fc.string({ minLength: 1 })),
      })
      .map((args) => ['documents_list', '/documents', args] as const),
    fc
      .record({
        scope: fc.constantFrom('active', 'all', 'document', 'upcoming'),
        documentId: optional(id),
        limit: optional(fc.constantFrom(1, 2, 1001)),
      })
      .map((args) => ['tasks_list', '/tasks', args] as const),
    fc
      .record({ documentIds: optional(fc.array(id, { minLength: 1 })) })
      .map((args) => ['collections_list', '/collections', args] as const),
    fc.constant(['folders_list', '/folders', {}] as const),
  )
  await fc.assert(
    fc.asyncProperty(calls, async ([name, path, args]) => {
      const result = await mcp.client.callTool({
        name,
        arguments: { ...askForAll(name), ...JSON.parse(JSON.stringify(args)) },
      })
      const [{ text }, second] = result.content as unknown as [{ text: string }, { text: string }?]
      const response = await ask(`GET ${path}?${queryOf(args)}&ids=short`)
      if (result.isError) {
        expect(response.status).toBeGreaterThanOrEqual(400)
        expect(response.json.error).toBe(text)
        expect(response.json).toEqual(result._meta?.['scriptorium/error'])
      } else {
        const note = 'format' in args && args.format === 'markdown' ? second?.text : undefined
        // Over REST, a page of Markdown says in its text how to continue.
        const isCut = note?.includes('cursor') === true
        const [answer, next] = isCut ? response.text.split(/\n\n(?=Blocks \d+ to )/) : [response.text]
        expect([response.status, answer]).toEqual([200, text])
        if (isCut) expect(next).toMatch(/ left: send GET \/blocks again/)
        expect(response.headers.get('x-scriptorium-note') === null).toBe(note === undefined)
      }
    }),
    { numRuns: runs(10, 150) },
  )
})

test('writes: the same calls on two equal spaces give the same responses and the same space', async () => {
  const text = fc.string({ unit: 'grapheme', maxLength: 20 })
  const markdown = fc.array(fc.oneof(text, fc.constantFrom('# One', '- [ ] task', '> quote', '==x==', '')), {
    maxLength: 5,
  })
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.record({ title: text, lines: markdown }), { minLength: 1, maxLength: 3 }),
      async (made) => {
        const mcp = await connect()
        const rest = await askerOf()
        const documents = made.map(({ title, lines }) => ({ title, markdown: lines.join('\n\n') }))
        const { structuredContent, isError, content } = await mcp.client.callTool({
          name: 'documents_add',
          arguments: { documents, answer: 'full' },
        })
        const response = await rest.ask('POST /documents?ids=short', { documents })
        if (isError) expect(response.json.error).toBe((content as { text: string }[])[0]?.text)
        else expect(response.json).toEqual(structuredContent)
        const { items } = await mcp.call('documents_list')
        expect((await rest.ask('GET /documents?ids=short')).json.items).toEqual(items)
        for (const { id } of items) {
          const page = (await rest.ask(`GET /blocks?id=${id}&ids=short`)).json
          expect(withoutRevision(page)).toEqual(withoutRevision(await mcp.call('blocks_get', { id })))
        }
      },
    ),
    { numRuns: runs(5, 25) },
  )
})

/** Each space seals its own revisions. */
const withoutRevision = ({ revision: _, ...page }: { revision: string }) => page
