/** Lists and searches return Markdown over MCP, which needs few tokens, with the ID of each thing before it. */
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base'
import { describe, expect, test } from 'vitest'
import { generateIds, newUuid } from '../../../src/space/model/ids.ts'
import { buildSpace } from '../../build.ts'
import { type Connected, connect } from '../../connect.ts'
import { contentOf, documentOf } from '../../document.ts'
import { add } from '../../tasks.ts'

/** Returns the Markdown of a response, with IDs shortened to their numbers, and the note that follows it. */
async function ask({ client }: Connected, name: string, args: object = {}) {
  const { content, structuredContent } = await client.callTool({ name, arguments: { ...args } })
  expect(structuredContent).toBeUndefined()
  const [body, note] = (content as { text: string }[]).map(({ text }) => text.replace(/0{8}-0000-7000-8000-0*/g, ''))
  return { body, note }
}

const numberOf = (id: string) => String(Number(id.slice(-12)))

describe('documents_list', () => {
  test('a document is its ID and title with its distinguishing fields', async () => {
    const connected = await connect()
    const { call } = connected
    const folder = (await call('folders_add', { folders: [{ name: 'Work' }] })).items[0].id
    const plain = await documentOf(connected, 'text', 'Plans [draft] for *2026*')
    const { items } = await call('documents_add', {
      documents: [{ title: 'Filed' }],
      destination: { folderId: folder },
    })
    const template = await call('documents_add', {
      documents: [{ title: 'Form' }],
      destination: { destination: 'templates' },
    })
    const gone = await documentOf(connected, '', 'Gone')
    await call('documents_delete', { documentIds: [gone] })
    await call('blocks_add', { markdown: 'Now', position: { position: 'end', date: 'today' } })
    const day = (await call('documents_list', { location: 'daily_notes' })).items[0].id
    expect(await ask(connected, 'documents_list')).toEqual({
      body: [
        `${numberOf(plain)} Plans [draft] for *2026*`,
        `${numberOf(items[0].id)} Filed (folder ${numberOf(folder)})`,
        `${numberOf(template.items[0].id)} Form (template)`,
        `${numberOf(gone)} Gone (trash)`,
        `${numberOf(day)} Friday, November 20, 2026 (2026-11-20)`,
      ].join('\n'),
    })
  })

  test('with metadata if requested', async () => {
    const connected = await connect()
    const id = numberOf(await documentOf(connected, '', 'One'))
    const { body } = await ask(connected, 'documents_list', { fetchMetadata: true })
    expect(body).toMatch(`${id} One (made 2026-11-20T09:00:00.000Z, changed 2026-11-20T09:00:00.000Z, <`)
  })

  test('in parts, with a sentence about the rest, in whichever format the next one is requested', async () => {
    const connected = await connect()
    for (const title of ['A', 'B', 'C']) await documentOf(connected, '', title)
    const { body, note } = await ask(connected, 'documents_list', { limit: 1 })
    expect(body).toMatch(/^\d+ A$/)
    expect(note).toMatch(/^2 documents are left: repeat the call with cursor "[^"]+"\.$/)
    const [, cursor] = /cursor "([^"]+)"/.exec(note ?? '') ?? []
    const { items } = await connected.call('documents_list', { limit: 2, cursor })
    expect(items.map(({ title }: { title: string }) => title)).toEqual(['B', 'C'])
  })

  test('a document without a name is called so', async () => {
    const connected = await connect()
    const id = numberOf(await documentOf(connected, '', ' '))
    expect(await ask(connected, 'documents_list')).toEqual({ body: `${id} Untitled` })
  })

  test('an empty list says so', async () => {
    expect(await ask(await connect(), 'documents_list')).toEqual({ body: 'No documents.' })
  })
})

describe('documents_search', () => {
  test('a document is its ID and title with its snippet, followed by the requested blocks', async () => {
    const connected = await connect()
    const id = await documentOf(connected, 'one zebra\n\n```js\nzebra()\nrun()\n```', 'Animals')
    const [first, code] = (await contentOf(connected, id)).map((block) => numberOf(block.id))
    expect(await ask(connected, 'documents_search', { include: ['zebra'] })).toEqual({
      body: `${numberOf(id)} Animals: one **zebra**`,
    })
    const { body } = await ask(connected, 'documents_search', { include: ['zebra'], fetchBlocks: true })
    expect(body?.split('\n')).toEqual([
      `${numberOf(id)} Animals: one **zebra**`,
      `  ${first} one zebra`,
      `  ${code} \`\`\`js`,
      '    zebra()',
      '    run()',
      '    ```',
    ])
  })

  test('words that the snippet does not show are named with their places', async () => {
    const connected = await connect()
    const id = await documentOf(connected, 'zebra\n\nlion\n\ntiger\n\nbear', 'Animals')
    const { body } = await ask(connected, 'documents_search', { include: ['zebra lion tiger bear'], regexps: 'animal' })
    expect(body).toMatch(
      new RegExp(`^${numberOf(id)} Animals: (\\*\\*\\w+\\*\\*( … )?){3} \\(\\w+ in 1 block; regexps in 1 block\\)$`),
    )
  })

  test('missing things are reported next to the list, or in its place if nothing is found', async () => {
    const connected = await connect()
    const id = await documentOf(connected, 'one zebra', 'Animals')
    expect(await ask(connected, 'documents_search', { include: ['zebra giraffe'] })).toEqual({
      body: `${numberOf(id)} Animals: one **zebra**`,
      note: 'Found without "giraffe", which no document that was searched has; if that is not enough, ask again with other words for the same.',
    })
    expect(await ask(connected, 'documents_search', { include: ['giraffe'] })).toEqual({
      body: 'No document that was searched has "giraffe"; if that is not enough, ask again with other words for the same.',
    })
  })

  test('on daily connections days stand for IDs, and the inbox is named', async () => {
    const connected = await connect('daily')
    await connected.call('blocks_add', { markdown: 'a zebra', position: { position: 'end', date: 'today' } })
    await add(connected, { markdown: 'feed the zebra' })
    const { body } = await ask(connected, 'daily_notes_search', { include: ['zebra'] })
    expect(body?.split('\n').sort()).toEqual([
      '2026-11-20 Friday, November 20, 2026: a **zebra**',
      'Inbox: feed the **zebra**',
    ])
  })
})

test('blocks_search: matches after their IDs, between their neighbors, after the pages around them', async () => {
  const connected = await connect()
  const page = '<page><pageTitle>Inner</pageTitle><content>deep zebra</content></page>'
  const id = await documentOf(connected, `before\n\na zebra\n\nafter\n\nlast zebra\n\n${page}`, 'Animals')
  const blocks = await contentOf(connected, id)
  const [, first, , second, inner] = blocks.map((block) => numberOf(block.id))
  const args = { blockId: id, pattern: 'zebra', beforeBlockCount: 1, afterBlockCount: 1 }
  const { body, note } = await ask(connected, 'blocks_search', args)
  expect(body?.split('\n')).toEqual([
    `${numberOf(id)} Animals`,
    '  before',
    `${first} a zebra`,
    '  after',
    '',
    `${second} last zebra`,
    '  Inner',
    '',
    `${numberOf(id)} Animals › ${inner} Inner`,
    `${numberOf(blocks[4].content[0].id)} deep zebra`,
  ])
  expect(note).toBeUndefined()
  expect(await ask(connected, 'blocks_search', { blockId: id, pattern: 'lion' })).toEqual({ body: 'Nothing found.' })
})

test('tasks_list: tasks as they are written, with ID and dates, below their location', async () => {
  const connected = await connect()
  const id = await documentOf(connected, '- [ ] of a document', 'Plan')
  const [inDocument] = await contentOf(connected, id)
  const tasks = await add(
    connected,
    { markdown: 'one', taskInfo: { scheduleDate: 'today', deadlineDate: 'tomorrow' } },
    { markdown: 'two', taskInfo: { state: 'done' } },
    { markdown: 'three', location: { type: 'dailyNote' }, repeat: { type: 'fixed', frequency: 'daily' } },
  )
  const [one, two, three] = tasks.map((task) => numberOf(task.id))
  const { body, note } = await ask(connected, 'tasks_list', { scope: 'all' })
  expect(body?.split('\n').sort()).toEqual(
    [
      'Inbox:',
      `${one} - [ ] one (scheduled 2026-11-20, deadline 2026-11-21)`,
      'Logbook:',
      `${two} - [x] two`,
      '2026-11-20:',
      `${three} - [ ] three (scheduled 2026-11-20, repeat {"type":"fixed","frequency":"daily"})`,
      `${numberOf(id)} Plan:`,
      `${numberOf(inDocument.id)} - [ ] of a document`,
    ].sort(),
  )
  expect(note).toBe('Today is 2026-11-20.')
  expect(await ask(connected, 'tasks_list', { scope: 'upcoming' })).toEqual({
    body: 'No tasks.',
    note: 'Today is 2026-11-20.',
  })
})

test('uses a fraction of the tokens of JSON', async () => {
  const connected = await connect('full', { to: await buildSpace(':memory:', { newUuid, generateIds: generateIds }) })
  const lines = Array.from({ length: 20 }, (_, n) => `A line of some words about matter ${n}\n\n- [ ] do thing ${n}`)
  const ids: string[] = []
  for (let n = 0; n < 20; n++) ids.push(await documentOf(connected, lines.join('\n\n'), `Note 000${n}`))
  const share = async (name: string, args: object) => {
    const tokensOf = async (format: string) => {
      const { content } = await connected.client.callTool({ name, arguments: { ...args, format } })
      return countTokens((content as { text: string }[]).map(({ text }) => text).join('\n'))
    }
    return (await tokensOf('markdown')) / (await tokensOf('json'))
  }
  expect(await share('documents_list', {})).toBeLessThan(0.5)
  expect(await share('documents_search', { include: ['matter'] })).toBeLessThan(0.35)
  expect(await share('blocks_search', { blockId: ids[0], pattern: 'matter' })).toBeLessThan(0.5)
  expect(await share('tasks_list', { scope: 'all' })).toBeLessThan(0.6)
})
