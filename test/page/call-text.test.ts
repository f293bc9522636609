import { describe, expect, test } from 'vitest'
import { callText, parseSummary } from '../../src/page/calls/call-text.ts'
import { links } from './writing.ts'

const plain = (summary: string, tool = 'blocks_add', within?: string) =>
  String(callText({ tool, summary, documents: [] }, links, within === undefined ? {} : { within })).replace(
    /<[^>]*>/g,
    '',
  )

describe('a summary in words', () => {
  test.each([
    ['"Plan": 2 blocks added', 'blocks_add', 'Added 2 blocks to Plan'],
    ['"Plan": 1 block changed', 'blocks_update', 'Changed a block in Plan'],
    ['"Plan": 1 block changed', 'tasks_update', 'Changed a task in Plan'],
    ['"Plan": 3 blocks added', 'items_add', 'Added 3 items to Plan'],
    ['"Plan": 7 blocks deleted, 2 blocks changed', 'blocks_update', 'Deleted 7 blocks, changed 2 blocks in Plan'],
    ['"Plan": moved to the trash', 'documents_delete', 'Moved Plan to the trash'],
    ['"Plan": added, 22 blocks added', 'documents_add', 'Added Plan'],
    ['"Inbox": added, 2 blocks added', 'tasks_add', 'Added 2 tasks to Inbox'],
    ['"Plan": 1 block changed, 1 comment added', 'comments_add', 'Added a comment to Plan'],
    ['2 folders added', 'folders_add', 'Added 2 folders'],
    ['"A": moved; "B": moved; "C": moved', 'documents_move', 'Moved 3 documents'],
    ['"A": added; "B": added, 3 blocks added; "C": added', 'documents_add', 'Added 3 documents'],
    ['"A": 1 block moved; "B": 1 block moved', 'blocks_move', 'Moved a block in A; moved a block in B'],
    ['"g": added; 1 folder added', 'documents_add', 'Added g; added a folder'],
    ['a deleted document: 2 blocks deleted', 'blocks_delete', 'Deleted 2 blocks in a deleted document'],
  ])('%s by %s', (summary, tool, words) => {
    expect(plain(summary, tool)).toBe(words)
  })

  test('a default view counts as no change of its own', () => {
    const item = { tool: 'views_activate', summary: '', documents: [{ documentId: '100000000001', title: 'Plan' }] }
    expect(String(callText(item, links)).replace(/<[^>]*>/g, '')).toBe('Showed another view first in Plan')
  })

  test('a title may have any characters', () => {
    const title = 'a "b"; c: 1 block added, \\ <d>'
    expect(parseSummary(`${JSON.stringify(title)}: 1 block added`)).toEqual([{ title, changes: ['1 block added'] }])
    expect(
      String(
        callText({ tool: 'blocks_add', summary: `${JSON.stringify(title)}: 1 block added`, documents: [] }, links),
      ),
    ).toContain('&lt;d&gt;')
  })

  test('within a document it has only what happened there, without its name', () => {
    expect(plain('"A": 1 block moved; "B": 2 blocks added', 'blocks_move', 'B')).toBe('Added 2 blocks')
    expect(plain('"A": added, 2 blocks added', 'documents_add', 'A')).toBe('Added the document')
  })

  test('for a proposal it says what would happen', () => {
    const item = { tool: 'blocks_update', summary: '"Plan": 1 block changed, 2 blocks added', documents: [] }
    expect(String(callText(item, links, { isProposed: true }))).toBe('Change a block, add 2 blocks to <b>Plan</b>')
  })

  test('a document links to its page', () => {
    const item = { tool: 'elements_add', summary: '', documents: [{ documentId: '100000000001', title: 'Sketch' }] }
    expect(String(callText(item, links))).toBe('Drew on <a href="/view/key/d/100000000001"><b>Sketch</b></a>')
  })
})
