import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type Answer, type Connected, connect } from '../../connect.ts'
import { contentOf, documentOf, idsOf, outlineOf } from '../../document.ts'
import { runs } from '../../support/runs.ts'

/** Reads the text of a document and its revision. */
async function read({ client }: Connected, id: string): Promise<{ markdown: string; revision: string }> {
  const { content } = await client.callTool({
    name: 'blocks_get',
    arguments: { id, format: 'markdown', maxBlocks: 20_000 },
  })
  const [markdown = '', note = ''] = (content as { text: string }[]).map(({ text }) => text)
  return { markdown, revision: /Revision (\S+)\.$/.exec(note)?.[1] ?? '' }
}

/** Edits a document as an agent does: reads its text, changes it, and writes it back. */
async function edited(connected: Connected, id: string, change: (markdown: string) => string): Promise<Answer> {
  const { markdown, revision } = await read(connected, id)
  return connected.call('blocks_update', { pageId: id, markdown: change(markdown), revision, answer: 'ids' })
}

const story =
  '# Title\n\nfirst words here\n\n- item one\n- item two\n\n<page>\n<pageTitle>Inner page</pageTitle>\n<content>\nlines in the page\n\nmore lines in it\n</content>\n</page>\n\nlast words here'

async function prepared() {
  const connected = await connect()
  const id = await documentOf(connected, story)
  return { connected, id, ids: await idsOf(connected, id) }
}

describe('editing the text of a page', () => {
  test('the same text changes nothing, and the revision stays', async () => {
    const { connected, id } = await prepared()
    const before = await connected.call('blocks_get', { id, fetchMetadata: true })
    connected.clock.now += 1000
    const answer = await edited(connected, id, (text) => text)
    expect(answer).toEqual({ added: [], changed: [], moved: [], deleted: [], revision: before.revision })
    expect(await connected.call('blocks_get', { id, fetchMetadata: true })).toEqual(before)
  })

  test('changed text keeps its block, and what text does not express', async () => {
    const { connected, id, ids } = await prepared()
    await connected.call('blocks_update', { blocks: [{ id: ids['first words here'], color: '#000000' }] })
    const answer = await edited(connected, id, (text) => text.replace('first words here', 'first **words** there'))
    expect(answer).toMatchObject({ added: [], changed: [ids['first words here']], moved: [], deleted: [] })
    expect(await contentOf(connected, id)).toMatchObject([
      {},
      { markdown: 'first **words** there', color: '#000000' },
      {},
      {},
      {},
      {},
    ])
  })

  test('added, deleted and moved blocks, in pages too', async () => {
    const { connected, id, ids } = await prepared()
    const answer = await edited(connected, id, (text) =>
      text
        .replace('# Title\n\n', '')
        .replace('- item one\n- item two\n\n', '- item two\n- item three\n- item one\n\n')
        .replace('\n\nmore lines in it', '')
        .replace('last words here', 'more lines in it\n\nlast words here'),
    )
    expect(answer.deleted).toEqual([ids['# Title']])
    expect(answer.moved).toContain(ids['more lines in it'])
    expect(answer.changed).toEqual([])
    expect(answer.added).toHaveLength(1)
    expect(await outlineOf(connected, id)).toEqual([
      'first words here',
      '- item two',
      '- item three',
      '- item one',
      ['Inner page', ['lines in the page']],
      'more lines in it',
      'last words here',
    ])
    const after = await idsOf(connected, id)
    for (const words of [
      '- item one',
      '- item two',
      'Inner page',
      'lines in the page',
      'more lines in it',
      'last words here',
    ]) {
      expect(after[words], words).toBe(ids[words])
    }
  })

  test('a page keeps its ID when its title changes, since the text names it', async () => {
    const { connected, id, ids } = await prepared()
    const answer = await edited(connected, id, (text) => text.replace('Inner page', 'Another title altogether'))
    expect(answer).toMatchObject({ added: [], changed: [ids['Inner page']], moved: [], deleted: [] })
    expect((await idsOf(connected, id))['Another title altogether']).toBe(ids['Inner page'])
  })

  test('blocks move into a new page', async () => {
    const { connected, id, ids } = await prepared()
    const wrapped = '<page>\n<pageTitle>New</pageTitle>\n<content>\nfirst words here\n</content>\n</page>'
    const answer = await edited(connected, id, (text) => text.replace('first words here', wrapped))
    expect(answer).toMatchObject({ changed: [], moved: [ids['first words here']], deleted: [] })
    expect(answer.added).toHaveLength(1)
    expect((await outlineOf(connected, id))[1]).toEqual(['New', ['first words here']])
  })

  test('the title of the document is in its text', async () => {
    const { connected, id } = await prepared()
    expect(await edited(connected, id, (text) => text.replace('>Document<', '>Renamed<'))).toMatchObject({
      changed: [id],
    })
    expect((await connected.call('documents_list')).items).toMatchObject([{ title: 'Renamed' }])
  })

  test('the text may also be only the content of the page', async () => {
    const { connected, id, ids } = await prepared()
    const { revision } = await read(connected, id)
    const answer = await connected.call('blocks_update', { pageId: id, markdown: 'first words here\n\nnew', revision })
    expect(answer.items).toMatchObject([{ markdown: 'new' }])
    expect(await outlineOf(connected, id)).toEqual(['first words here', 'new'])
    expect((await idsOf(connected, id))['first words here']).toBe(ids['first words here'])
  })

  test('a page in a document is edited separately', async () => {
    const { connected, id, ids } = await prepared()
    await edited(connected, ids['Inner page'] as string, (text) => text.replace('more lines in it', 'other'))
    expect(await outlineOf(connected, id)).toEqual([
      '# Title',
      'first words here',
      '- item one',
      '- item two',
      ['Inner page', ['lines in the page', 'other']],
      'last words here',
    ])
  })

  test('a task keeps its dates, and gets timestamps', async () => {
    const connected = await connect()
    const id = await documentOf(connected, '- [ ] write')
    const [{ id: task }] = await contentOf(connected, id)
    await connected.call('blocks_update', { blocks: [{ id: task, taskInfo: { scheduleDate: '2026-12-01' } }] })
    await edited(connected, id, (text) => text.replace('[ ]', '[x]'))
    expect(await contentOf(connected, id)).toMatchObject([
      { id: task, taskInfo: { state: 'done', scheduleDate: '2026-12-01', completedAt: '2026-11-20T09:00:00.000Z' } },
    ])
  })

  test('links that the reader does not see are kept', async () => {
    const full = await connect()
    const hidden = await documentOf(full, 'hidden')
    const id = await documentOf(full, `see [this](block://${hidden}) and that\n\nend`)
    const selected = await connect('selected', { to: full, documents: [id] })
    await edited(selected, id, (text) => text.replace('and that', 'and more').replace('end', 'ending'))
    expect(await outlineOf(full, id)).toEqual([`see [this](block://${hidden}) and more`, 'ending'])
  })
})

describe('is rejected, and nothing is written', () => {
  test('if the document has changed since, with its current text', async () => {
    const { connected, id } = await prepared()
    const { markdown, revision } = await read(connected, id)
    await connected.call('blocks_add', { markdown: 'by another', position: { position: 'end', pageId: id } })
    const present = await read(connected, id)
    const args = { pageId: id, markdown: markdown.replace('Title', 'Mine'), revision }
    expect(await connected.faults('blocks_update', args)).toEqual({
      error: `Expected revision ${present.revision}, found ${revision}: the document has changed since that was read. Make your change in the present text, which is in details, and send it with revision ${present.revision}.`,
      code: 'CONFLICT',
      details: [{ path: 'markdown', message: present.markdown }],
    })
    expect((await read(connected, id)).markdown).toBe(present.markdown)
  })

  test('with the revision of a part, which would delete the rest', async () => {
    const { connected, id } = await prepared()
    const part = await connected.call('blocks_get', { id, maxBlocks: 3 })
    const shallow = await connected.call('blocks_get', { id, maxDepth: 1 })
    for (const { revision } of [part, shallow]) {
      expect(await connected.refused('blocks_update', { pageId: id, markdown: 'x', revision })).toBe(
        `Expected the revision of a page that was read whole, found ${revision}, that of a part; read it with blocks_get, all depths and enough maxBlocks.`,
      )
    }
  })

  test('for IDs that are not in the page, or given twice, or a block that is not a page', async () => {
    const { connected, id, ids } = await prepared()
    const { revision } = await read(connected, id)
    const refused = (markdown: string, pageId: string | undefined = id) =>
      connected.refused('blocks_update', { pageId, markdown, revision })
    const page = (id: string | undefined) => `<page id="${id}">\n<pageTitle>a</pageTitle>\n</page>`
    expect(await refused(page('nowhere'))).toBe(
      'Expected IDs of blocks in the edited page, found nowhere on a page; leave the id out to add it as a new block.',
    )
    const inner = ids['Inner page']
    expect(await refused(`${page(inner)}\n\n${page(inner)}`)).toBe(
      `Expected each ID once, found ${inner} twice; leave it out on the copy.`,
    )
    expect(await refused('x', ids['# Title'])).toBe(
      `Expected a page or document as pageId, found ${ids['# Title']} of type text; change it by blocks.`,
    )
    expect((await read(connected, id)).revision).toBe(revision)
  })

  test('if blocks and text are mixed', async () => {
    const { refused } = await connect()
    const message =
      'Expected either blocks, or pageId with replace, or pageId with markdown and revision, found none of these or a mixture; give one of them.'
    expect(await refused('blocks_update', {})).toBe(message)
    expect(await refused('blocks_update', { pageId: 'a', markdown: 'x' })).toBe(message)
    expect(await refused('blocks_update', { blocks: [{ id: 'a' }], revision: '1' })).toBe(message)
  })
})

test('after any edit the page reads as the edited text, and unchanged blocks keep their ID', {
  timeout: 60_000,
}, async () => {
  const line = fc.constantFrom(
    'alpha beta gamma',
    'delta epsilon zeta',
    '- one item',
    '- two items',
    '# Heading',
    '---',
    'x',
    '> quoted words',
  )
  const blocks: fc.Arbitrary<string[]> = fc.array(line, { maxLength: 8 })
  const page = fc.tuple(fc.constantFrom('Page A', 'Page B'), blocks)
  const text = fc.tuple(blocks, fc.option(page, { nil: undefined }), blocks).map(([before, inner, after]) => {
    const body = (lines: string[]) => lines.join('\n\n')
    const tag = inner && `<page>\n<pageTitle>${inner[0]}</pageTitle>\n<content>\n${body(inner[1])}\n</content>\n</page>`
    return [body(before), tag ?? '', body(after)].filter(Boolean).join('\n\n')
  })
  const connected = await connect()
  await fc.assert(
    fc.asyncProperty(text, text, async (before, after) => {
      const id = await documentOf(connected, before)
      const expected = await outlineOf(connected, await documentOf(connected, after))
      const old = await outlineOf(connected, id)
      const { revision } = await read(connected, id)
      const answer = await connected.call('blocks_update', { pageId: id, markdown: after, revision })
      expect(await outlineOf(connected, id)).toEqual(expected)
      if (JSON.stringify(old) === JSON.stringify(expected))
        expect(answer).toMatchObject({ added: [], changed: [], moved: [], deleted: [] })
      const again = await read(connected, id)
      expect(await edited(connected, id, (same) => same)).toMatchObject({
        added: [],
        changed: [],
        revision: again.revision,
      })
    }),
    { numRuns: runs(8, 80) },
  )
})

describe('replacing passages of a page', () => {
  test('changes the blocks that contain them, one after another, and needs no revision', async () => {
    const { connected, id, ids } = await prepared()
    const replace = [
      { old: 'first words', new: 'first **words**' },
      { old: '- item two\n', new: '- item two\n- item three\n' },
      { old: 'first **words** here', new: 'first **words** there' },
    ]
    const answer = await connected.call('blocks_update', { pageId: id, replace })
    expect(answer).toMatchObject({
      added: [expect.any(String)],
      changed: [ids['first words here']],
      moved: [],
      deleted: [],
    })
    const { markdown, revision } = await read(connected, id)
    expect(markdown).toContain('first **words** there\n\n- item one\n- item two\n- item three\n')
    expect(answer.revision).toBe(revision)
  })

  test('is accepted with the names that other editors use', async () => {
    const { connected, id } = await prepared()
    await connected.call('blocks_update', { pageId: id, edits: [{ old_string: 'last words', new_string: 'the end' }] })
    expect((await read(connected, id)).markdown).toContain('the end here')
  })

  test.each([
    [
      [{ old: 'nowhere', new: 'x' }],
      'Expected replace[0].old, "nowhere", once in the text of the page, found it nowhere; read the page with blocks_get and format "markdown", and copy the passage as it is. Nothing was written.',
    ],
    [
      [
        { old: 'first', new: '1st' },
        { old: 'words', new: 'x' },
      ],
      'Expected replace[1].old, "words", once in the text of the page, found it 2 times; add text from around it. Nothing was written.',
    ],
  ])('%j is rejected', async (replace, message) => {
    const { connected, id } = await prepared()
    const before = await read(connected, id)
    expect(await connected.refused('blocks_update', { pageId: id, replace })).toBe(message)
    expect(await read(connected, id)).toEqual(before)
  })

  test('needs the page, and no other form of content', async () => {
    const { connected, id, ids } = await prepared()
    const replace = [{ old: 'first', new: '1st' }]
    const message =
      'Expected either blocks, or pageId with replace, or pageId with markdown and revision, found none of these or a mixture; give one of them.'
    for (const args of [
      { replace },
      { pageId: id, replace, markdown: 'x' },
      { blocks: [{ id: ids['first words here'], markdown: 'x' }], replace },
    ]) {
      expect(await connected.refused('blocks_update', args)).toContain(message)
    }
  })

  test('uses a fraction of the tokens of writing the page back', async () => {
    const { connected, id } = await prepared()
    const { markdown, revision } = await read(connected, id)
    const whole = JSON.stringify({ pageId: id, markdown: markdown.replace('first', '1st'), revision })
    const passage = JSON.stringify({ pageId: id, replace: [{ old: 'first words', new: '1st words' }] })
    expect(passage.length / whole.length).toBeLessThan(0.3)
  })
})

test('passages that insert too much are rejected before anything is read', async () => {
  const { connected, id } = await prepared()
  const replace = [{ old: 'first', new: 'x'.repeat(200_001) }]
  expect(await connected.refused('blocks_update', { pageId: id, replace })).toBe(
    'At replace: Expected at most 200,000 characters to put in, found 200,001; add long texts with blocks_add.',
  )
})

describe('a passage that is quoted with other characters', () => {
  /** Replaces a passage of a new document, and reads what is in it then. */
  async function replaced(source: string, old: string, replacement: string): Promise<string> {
    const connected = await connect()
    const pageId = await documentOf(connected, source)
    await connected.call('blocks_update', { pageId, replace: [{ old, new: replacement }] })
    const { markdown } = await read(connected, pageId)
    return /<content>\n([\s\S]*)\n<\/content>/.exec(markdown)?.[1] ?? markdown
  }

  test('is replaced, and the rest stays as it is', async () => {
    expect(await replaced('“a” don’t\u00a0stop “b”', 'don\'t stop "b"', 'go')).toBe('“a” go')
    expect(await replaced('one\ntwo cafe\u0301', 'one\r\ntwo café', 'three')).toBe('three')
  })

  test('of a cell keeps its bars within the cell, but not in code', async () => {
    expect(await replaced('| a | b |\n| - | - |\n| one | two |', 'one', 'x|y \\| z')).toBe(
      '| a | b |\n| --- | --- |\n| x\\|y \\| z | two |',
    )
    expect(await replaced('```sql\n| one |\n```', 'one', 'x|y')).toBe('```sql\n| x|y |\n```')
  })

  test('of a cell keeps its line ends within the cell, but not in code', async () => {
    expect(await replaced('| a | b |\n| - | - |\n| one | two |', 'one', 'x \r\ny\\\nz')).toBe(
      '| a | b |\n| --- | --- |\n| x<br>y<br>z | two |',
    )
    expect(await replaced('```\n| one |\n```', 'one', 'x\ny')).toBe('```\n| x\ny |\n```')
  })

  test('and is not there is refused with the nearest one', async () => {
    const connected = await connect()
    const pageId = await documentOf(connected, 'The quick brown fox jumps')
    const replace = [{ old: 'quick brawn fox', new: 'cat' }]
    expect(await connected.refused('blocks_update', { pageId, replace })).toBe(
      'Expected replace[0].old, "quick brawn fox", once in the text of the page, found it nowhere; the nearest passage is "quick brown fox"; read the page with blocks_get and format "markdown", and copy the passage as it is. Nothing was written.',
    )
  })
})

test('passages can be replaced where blocks may not be deleted, unless one would be', async () => {
  const { connected, id } = await prepared()
  const careful = await connect('full', { to: connected, access: 'no-delete' })
  await careful.call('blocks_update', { pageId: id, replace: [{ old: 'first words', new: '1st words' }] })
  expect(await careful.refused('blocks_update', { pageId: id, replace: [{ old: '- item two\n', new: '' }] })).toContain(
    'Expected a text that keeps all blocks of the page',
  )
  const reading = await connect('full', { to: connected, access: 'read' })
  await reading.refused('blocks_update', { pageId: id, replace: [{ old: '1st', new: 'x' }] })
  expect((await read(connected, id)).markdown).toContain('1st words here\n\n- item one\n- item two')
})
