import { describe, expect, test } from 'vitest'
import { connect } from '../../connect.ts'
import { documentOf, outlineOf } from '../../document.ts'

const MIB = 1024 * 1024

describe('a long text', () => {
  test('of 4 MiB is parsed while other calls are answered', { timeout: 30_000 }, async () => {
    const connected = await connect()
    const id = await documentOf(connected)
    const paragraph = 'Some *ordinary* words of a long text, with a [link](https://example.org) in them. '.repeat(4)
    const markdown = `${paragraph}\n\n`.repeat(Math.floor((4 * MIB) / (paragraph.length + 2)))
    const order: string[] = []
    const adding = connected
      .call('blocks_add', { markdown, position: { position: 'end', pageId: id }, answer: 'ids' })
      .then(({ items }) => order.push(`added ${items.length}`))
    for (let call = 1; call <= 3; call++) {
      await connected.call('connection_get')
      order.push(`call ${call}`)
    }
    await adding
    expect(order).toEqual(['call 1', 'call 2', 'call 3', `added ${markdown.split('\n\n').length - 1}`])
  })

  test.each([
    ['open lists', '- '],
    ['empty items', 'a\n-\n'],
    ['open quotes', '>'],
    ['open brackets', '['],
    ['open images', '!['],
    ['open emphasis', '*a '],
    ['open pages', '<page>\n'],
    ['backticks', '`'],
    ['angles', '<'],
    ['dollars', '$a'],
    ['highlights', '==a'],
  ])('of %s results in blocks or in a typed error, and the next call works', { timeout: 30_000 }, async (_, piece) => {
    const { client, call } = await connect()
    const markdown = piece.repeat(Math.floor((4 * MIB) / piece.length))
    const args = { markdown, position: { position: 'end' }, answer: 'ids' }
    const { isError, content } = await client.callTool({ name: 'blocks_add', arguments: args })
    if (isError) expect((content as { text: string }[])[0]?.text).toMatch(/^Expected /)
    expect((await call('connection_get')).space.name).toBe('Test')
  })
})

test('an error in a long text has its line and column, and nothing is written', async () => {
  const connected = await connect()
  const id = await documentOf(connected)
  const markdown = `${'words\n\n'.repeat(10_000)}<page>\n<pageTitle>never closed`
  const message = await connected.refused('blocks_add', { markdown, position: { position: 'end', pageId: id } })
  expect(message).toMatch(/line 2000\d/)
  expect(await outlineOf(connected, id)).toEqual([])
})
