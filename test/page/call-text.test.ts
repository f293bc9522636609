import { describe, expect, test } from 'vitest'
import { callText } from '../../src/page/calls/call-text.ts'
import { inLocale } from '../../src/page/texts/language.ts'
import type { NamedChange, PlaceChanges } from '../../src/space/history/summary-text.ts'
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
    ['"Plan": 3 blocks added', 'items_add', 'Added 3 rows to Plan'],
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

  test('what is more than is counted says so', () => {
    expect(plain('"Plan": 25,000 blocks added; and more that is not counted')).toBe(
      'Added 25,000 blocks to Plan and more',
    )
  })

  test('a default view counts as no change of its own', () => {
    const item = { tool: 'views_activate', summary: '', documents: [{ documentId: '100000000001', title: 'Plan' }] }
    expect(String(callText(item, links)).replace(/<[^>]*>/g, '')).toBe('Showed another view first in Plan')
  })

  test('a title may have any characters', () => {
    const title = 'a "b"; c: 1 block added, \\ <d>'
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

describe('changes with names', () => {
  const collection = { id: '100000000005', title: 'Releases' }
  const item = (changes: PlaceChanges['changes'], place: Omit<PlaceChanges, 'changes'> = { title: 'Plan' }) => ({
    tool: 'batch',
    summary: '',
    changes: [{ ...place, changes }],
    documents: [],
  })
  const sentence = (...[changes, place]: Parameters<typeof item>) =>
    String(callText(item(changes, place), links)).replace(/<[^>]*>/g, '')
  const german = (...given: Parameters<typeof item>) =>
    inLocale({ language: 'de', locales: ['de-DE'] }, () => sentence(...given))
  const row = { noun: 'row', collection } as const

  test('rows are named with what changed in them, in their collection', () => {
    const changed: NamedChange[] = [
      { ...row, verb: 'changed', amount: 1, names: ['Ship <beta>'], fields: ['Status', 'Owner'] },
    ]
    expect(sentence(changed)).toBe('Changed “Ship &lt;beta&gt;” in Releases: Status, Owner')
    expect(german(changed)).toBe('„Ship &lt;beta&gt;“ in Releases geändert: Status, Owner')
    const deleted: NamedChange[] = [{ ...row, verb: 'deleted', amount: 3, names: ['A', 'B', 'C'] }]
    expect(sentence(deleted)).toBe('Deleted rows “A”, “B” and “C” in Releases')
    expect(german(deleted)).toBe('Zeilen „A“, „B“ und „C“ in Releases gelöscht')
    expect(sentence([{ ...row, verb: 'added', amount: 12, names: ['A', 'B', 'C'] }])).toBe(
      'Added rows “A”, “B”, “C” and 9 more to Releases',
    )
  })

  test('German has a capital letter in the middle of a sentence for nouns alone', () => {
    const changes: NamedChange[] = [
      { noun: 'task', verb: 'added', amount: 2, names: ['A', 'B'] },
      { noun: 'block', verb: 'added', amount: 1 },
    ]
    expect(german(changes)).toBe('Aufgaben „A“ und „B“ hinzugefügt, einen Block in Plan hinzugefügt')
  })

  test('more fields than are named, and characters that are not seen, are shown', () => {
    const fields = ['One', 'Two', 'Three', 'Four']
    expect(sentence([{ ...row, verb: 'changed', amount: 1, names: ['a\u202eb'], fields }])).toBe(
      'Changed “aU+202Eb” in Releases: One, Two, Three and more',
    )
  })

  test('what was done in many places has the number of documents', () => {
    const added: NamedChange[] = [{ noun: 'block', verb: 'added', amount: 1 }]
    const folder: PlaceChanges = { changes: [{ noun: 'folder', verb: 'added', amount: 1 }] }
    const changes = [{ title: 'A', changes: added }, { title: 'B', changes: added }, folder]
    const done = (tool: string, undoes?: string[]) =>
      String(callText({ tool, summary: '', changes, documents: [], ...(undoes && { undoes }) }, links))
    expect(done('batch')).toBe('Made several changes in 2 documents')
    expect(done('history_undo', ['100000000009'])).toBe('Took back: Made several changes in 2 documents')
  })

  test('folders, icons and names of documents', () => {
    const moved: NamedChange[] = [{ noun: 'folder', verb: 'moved', amount: 1, names: ['Plans'] }]
    expect(sentence(moved, {})).toBe('Moved folder “Plans”')
    expect(german(moved, {})).toBe('Ordner „Plans“ verschoben')
    const icon: NamedChange[] = [{ noun: 'document', verb: 'icon changed', amount: 1 }]
    expect(sentence(icon)).toBe('Changed the icon of Plan')
    expect(german(icon)).toBe('Symbol von Plan geändert')
    expect(sentence([{ noun: 'document', verb: 'renamed', amount: 1 }])).toBe('Renamed Plan')
    expect(sentence([{ noun: 'page', verb: 'icon changed', amount: 1, names: ['Inner'] }])).toBe(
      'Changed the icon of page “Inner” in Plan',
    )
    expect(german([{ noun: 'task', verb: 'added', amount: 2 }], { isGone: true })).toBe(
      '2 Aufgaben in einem gelöschten Dokument hinzugefügt',
    )
    const trashed: NamedChange[] = [{ noun: 'document', verb: 'moved to the trash', amount: 1 }]
    expect(sentence(trashed, { isGone: true })).toBe('Moved a deleted document to the trash')
    expect(german(trashed, { isGone: true })).toBe('Ein gelöschtes Dokument in den Papierkorb verschoben')
    expect(german(icon, { isGone: true })).toBe('Symbol von einem gelöschten Dokument geändert')
    expect(sentence(icon, {})).toBe('Changed the icon of the document')
    expect(german(icon, {})).toBe('Symbol von dem Dokument geändert')
    expect(german([{ noun: 'document', verb: 'renamed', amount: 1 }], {})).toBe('Das Dokument umbenannt')
  })
})
