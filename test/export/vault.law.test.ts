/** A document that was written as a note of Obsidian and read again is unchanged. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { writeNote } from '../../src/export/markdown/write-note.ts'
import { convertNote } from '../../src/import/markdown/convert-note.ts'
import { prepareNote } from '../../src/import/markdown/prepare-note.ts'
import type { Block } from '../../src/markdown/block.ts'
import { withoutComments } from '../../src/markdown/comment-tags.ts'
import { readFrontMatter } from '../../src/markdown/front-matter.ts'
import type { ExportedDocument } from '../../src/space/export/read-document.ts'
import { bare } from '../markdown/blocks-of.ts'
import { tree } from '../markdown/trees.ts'
import { runs } from '../support/runs.ts'

/** What a note cannot express of these blocks: which words a comment is about, and IDs. */
const carried = (blocks: readonly Block[]): Block[] =>
  blocks.map(({ id: _id, content, ...fields }) => ({
    ...fields,
    text: fields.type === 'text' || fields.type === 'page' ? withoutComments(fields.text) : fields.text,
    ...(content !== undefined && { content: carried(content) }),
  }))

const written = (blocks: Block[]): string => {
  const document = { blocks, record: { n: 1 }, rows: new Map(), comments: new Map(), reminders: new Map() }
  return writeNote(document as unknown as ExportedDocument, {
    anchors: new Map(),
    addressOf: () => undefined,
    fileOf: () => undefined,
    report: () => {},
  })
}

async function read(text: string): Promise<readonly Block[]> {
  const { body, lines } = readFrontMatter(`---\nscriptorium:\n  id: 1\n---\n\n${text}\n`)
  const prepared = prepareNote(body, {
    ...{ linesBefore: lines, isVault: true, isOwn: true, anchors: new Set<string>() },
    resolve: (link) => ({ literal: link.written }),
    report: () => {},
  })
  const ends = { files: [], endOf: () => undefined, idOf: () => undefined, newId: () => 1 }
  const { blocks } = await convertNote(prepared, {
    ...ends,
    countLink: () => {},
    draw: async () => {},
    report: () => {},
  })
  return blocks.map(bare)
}

test('whatever blocks it has', async () => {
  await fc.assert(
    fc.asyncProperty(tree, async (blocks) => {
      const kept = carried(blocks)
      expect(await read(written(kept))).toEqual(kept)
    }),
    // An image with a link begins a line like a callout.
    {
      numRuns: runs(100, 3000),
      examples: [
        // A formula in a task ends before the callout.
        [
          [
            { type: 'code', text: '#', language: 'math_formula', listStyle: 'task', taskInfo: { state: 'todo' } },
            { type: 'line', text: '', lineStyle: 'strong', decorations: { callout: true } },
          ],
        ],
        // The list goes on after the callout.
        [
          [
            { type: 'text', text: 'a', decorations: { callout: true }, listStyle: 'numbered' },
            { type: 'text', text: 'b', listStyle: 'numbered' },
          ],
        ],
        [
          ['[![a](b.png)](c)', ''].map((text) => ({
            type: 'text' as const,
            text,
            decorations: { callout: true as const },
          })),
        ],
      ],
    },
  )
})

test('also with letters of the private use area, which icon fonts use', async () => {
  const blocks: Block[] = [
    { type: 'page', text: '\uE000 \uE0011\uE002' },
    { type: 'text', text: 'a \uE0031\uE001' },
  ]
  expect(await read(written(blocks))).toEqual(blocks)
})
