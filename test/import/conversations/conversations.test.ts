/** Exports of conversations in the formats of Claude and ChatGPT. */
import { expect, test } from 'vitest'
import { conversationsFormat } from '../../../src/import/conversations/conversations-format.ts'
import { splitArray } from '../../../src/import/conversations/split-array.ts'
import { png } from '../../picture.ts'
import { type Files, imported, problemLines } from '../importing.ts'

const importedFrom = (conversations: object[], more: Files = {}) =>
  imported({ 'conversations.json': JSON.stringify(conversations), 'user.json': '{}', ...more }, conversationsFormat)

const node = (id: string, parent: string | null, role: string, content: object, more: object = {}) => ({
  [id]: { id, parent, children: [], message: { id, author: { role }, content, metadata: {}, ...more } },
})
const textOf = (...parts: unknown[]) => ({ content_type: 'text', parts })

const CHATGPT = {
  title: 'Tides',
  conversation_id: 'c1',
  create_time: 1709294400.5,
  update_time: 1709298000,
  current_node: 'answer2',
  mapping: {
    root: { id: 'root', parent: null, children: ['system'], message: null },
    ...node('system', 'root', 'system', textOf('')),
    ...node('asked', 'system', 'user', textOf('Why **two** tides?\n\n<page>no tag</page>')),
    ...node('answer1', 'asked', 'assistant', textOf('An answer that was taken back.')),
    ...node('code', 'asked', 'assistant', { content_type: 'code', language: 'python', text: 'print(2)' }),
    ...node('ran', 'code', 'tool', { content_type: 'execution_output', text: '2' }),
    ...node('drawn', 'ran', 'tool', {
      content_type: 'multimodal_text',
      parts: [{ content_type: 'image_asset_pointer', asset_pointer: 'file-service://file-Abc123' }, 'not shown'],
    }),
    ...node('answer2', 'drawn', 'assistant', textOf('- the Moon\n- the Sun')),
  },
}

test('ChatGPT: the last messages and what led to them, with code and pictures', async () => {
  const { blocks, call, report } = await importedFrom([CHATGPT], { 'file-Abc123-tide.png': png(3, 2) })
  expect(await blocks('Tides')).toMatchObject([
    { markdown: '### You' },
    { markdown: 'Why **two** tides?' },
    { markdown: '\\<page>no tag\\</page>' },
    { markdown: '### ChatGPT' },
    { type: 'code', language: 'python', rawCode: 'print(2)' },
    { type: 'code', rawCode: '2' },
    { type: 'image' },
    { markdown: '- the Moon' },
    { markdown: '- the Sun' },
  ])
  const { items } = await call('documents_list', { fetchMetadata: true })
  expect(items).toMatchObject([{ createdAt: '2024-03-01T12:00:00.500Z', lastModifiedAt: '2024-03-01T13:00:00.000Z' }])
  expect((await call('folders_list')).items.map(({ name }: { name: string }) => name)).toContain('ChatGPT')
  expect(problemLines(report)).toEqual([])
})

test('ChatGPT: links to sources, but no thoughts or tool calls', async () => {
  const [cited, other] = ['\uE200cite\uE202turn0search1\uE201', '\uE200cite\uE202turn0search2\uE201']
  const link = '([Tides](https://example.org/tides))'
  const { read, report } = await importedFrom([
    {
      ...CHATGPT,
      current_node: 'answer',
      mapping: {
        ...node('asked', null, 'user', textOf('Why?')),
        ...node('thought', 'asked', 'assistant', { content_type: 'thoughts', thoughts: [] }),
        ...node(
          'searched',
          'thought',
          'assistant',
          { content_type: 'code', language: 'unknown', text: 'search("x")' },
          { recipient: 'web' },
        ),
        ...node('told', 'searched', 'tool', { content_type: 'code', language: 'unknown', text: '' }),
        ...node('recap', 'told', 'assistant', { content_type: 'reasoning_recap', content: 'Thought for 2 s' }),
        ...node('answer', 'recap', 'assistant', textOf(`\uE203The Moon.\uE204 ${cited} And ${other}the Sun.`), {
          recipient: 'all',
          metadata: {
            content_references: [
              { matched_text: '\uE203', type: 'hidden', alt: null },
              { matched_text: cited, type: 'webpage', alt: link },
            ],
          },
        }),
      },
    },
  ])
  expect(await read('Tides')).toBe(`### You\n\nWhy?\n\n### ChatGPT\n\nThe Moon. ${link} And the Sun.`)
  expect(problemLines(report)).toEqual([])
})

const artifact = (input: object) => ({ type: 'tool_use', name: 'artifacts', input })
const CLAUDE = {
  uuid: 'c2',
  name: '',
  created_at: '2024-03-01T12:00:00.000000Z',
  updated_at: '2024-03-02T12:00:00.000000Z',
  chat_messages: [
    {
      sender: 'human',
      text: 'Write it',
      content: [{ type: 'text', text: 'Write it' }],
      attachments: [{ file_name: 'notes.txt', extracted_content: 'a\nb' }],
      files: [{ file_name: 'scan.pdf' }],
    },
    {
      sender: 'assistant',
      content: [
        { type: 'thinking', thinking: 'hm' },
        { type: 'text', text: 'Done.' },
        artifact({ command: 'create', id: 'a', type: 'text/markdown', title: 'Plan', content: '# Plan\n\nOne.' }),
        artifact({ command: 'create', id: 'b', type: 'application/vnd.ant.react', title: 'App', content: 'x' }),
      ],
    },
    { sender: 'assistant', content: [artifact({ command: 'update', id: 'a', old_str: 'One.', new_str: 'Two $&.' })] },
    { sender: 'human', text: 'Thanks', content: [] },
  ],
}

test('Claude: messages, attachments, and the final version of artifacts', async () => {
  const { read, report } = await importedFrom([CLAUDE])
  expect(await read('Conversation')).toBe(
    '### You\n\nWrite it\n\nnotes.txt\n\n```\na\nb\n```\n\n### Claude\n\nDone.\n\n### You\n\nThanks\n\n## Plan\n\n# Plan\n\nTwo $&.\n\n## App\n\n```jsx\nx\n```',
  )
  expect(problemLines(report)).toEqual([
    'conversations.json/c2 left out: Not in the export, or no part of the conversation: scan.pdf.',
  ])
})

test.each<[string, string, string]>([
  ['an answer that was taken back is left out', '1', '### You\n\nWhy?\n\n### Claude\n\nThe Moon.'],
  ['where a parent is unknown all come in', '?', '### You\n\nWhy?\n\n### Claude\n\nNo idea.\n\nThe Moon.'],
])('Claude: %s', async (_, parent, expected) => {
  const message = (uuid: string, parent_message_uuid: string, sender: string, text: string) => ({
    ...{ uuid, parent_message_uuid, sender, text, content: [{ type: 'text', text }] },
  })
  const root = '00000000-0000-4000-8000-000000000000'
  const { read } = await importedFrom([
    {
      ...{ uuid: 'c3', name: 'Tides' },
      chat_messages: [
        message('1', root, 'human', 'Why?'),
        message('2', '1', 'assistant', 'No idea.'),
        message('3', parent, 'assistant', 'The Moon.'),
      ],
    },
  ])
  expect(await read('Tides')).toBe(expected)
})

test('imported again, only continued conversations change', async () => {
  const { again } = await importedFrom([CHATGPT, CLAUDE])
  const more = { ...CLAUDE, chat_messages: [...CLAUDE.chat_messages, { sender: 'assistant', text: 'Welcome.' }] }
  const { counts } = await again({ 'conversations.json': JSON.stringify([CHATGPT, more]) })
  expect(counts).toMatchObject({ added: 0, updated: 1, unchanged: 1, conflicts: 0 })
})

test('its format is detected, and other files of that name are not taken for it', async () => {
  const detects = (text: string) =>
    conversationsFormat.detects({
      ...{ name: '', title: '', problems: [], close: async () => {} },
      files: [
        {
          ...{ path: 'x/conversations.json', name: 'conversations.json', size: text.length, stamp: '' },
          async *open() {
            yield Buffer.from(text)
          },
        },
      ],
    })
  expect(await detects(JSON.stringify([CLAUDE]))).toBe(true)
  for (const text of ['[]', '{"a": [1]}', '[{"a": 1}]', 'no JSON', '[{"mapping": '])
    expect([text, await detects(text)]).toEqual([text, false])
})

test('an array is split correctly however its bytes are chunked', async () => {
  const objects = [{ a: '}]"\\"[{' }, { b: [{ c: '\\' }], d: {} }, { e: 'ä' }]
  const bytes = Buffer.from(JSON.stringify(objects, null, 1))
  for (let length = 1; length < 12; length++) {
    async function* cut() {
      for (let at = 0; at < bytes.length; at += length) yield bytes.subarray(at, at + length)
    }
    const found: unknown[] = []
    for await (const part of splitArray(cut())) found.push(JSON.parse(part.toString()))
    expect(found).toEqual(objects)
  }
})
