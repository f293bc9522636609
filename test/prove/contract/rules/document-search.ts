/** Rules about the search across documents. */
import { createHash } from 'node:crypto'
import { DAILY, FULL, FULL_AND_SELECTED, type RuleGroup, SELECTED } from '../rule.ts'
import { has, one, type RuleContext, reads, same } from '../rule-context.ts'
import { addFolder, inFolder } from './folder-setup.ts'

const search = async (at: RuleContext, query: object) =>
  (await at.done(at.kind === 'daily' ? 'daily_notes_search' : 'documents_search', query)).items
const refusedSearch = (at: RuleContext, query: object, code?: string) =>
  at.refused(at.kind === 'daily' ? 'daily_notes_search' : 'documents_search', query, code)

/** The IDs of the documents that a search finds; the dates of daily notes. */
const found = async (at: RuleContext, query: object): Promise<unknown[]> =>
  (await search(at, query)).map(({ documentId, dailyNoteDate }) => dailyNoteDate ?? documentId)
const nameOf = ({ id, date }: { id: string; date?: string }) => date ?? id

let words = 0
/** A word that no other check has written, and that is similar to no other one: searches forgive typing errors. */
function newWord(): string {
  const digits = createHash('sha256').update(String(++words)).digest('hex').slice(0, 14)
  return [...digits].map((digit) => 'bcdfghjkmpqrtvwx'[Number.parseInt(digit, 16)]).join('')
}

export const documentSearch: RuleGroup = {
  title: 'search',
  rules: [
    {
      statement: 'include, a text or several, names words to find.',
      async check(at) {
        const word = newWord()
        const place = await at.freshDocument(`the ${word} is here`)
        for (const include of [word, [word], [word, 'here']]) same(await found(at, { include }), [nameOf(place)])
        same(await found(at, { include: [word, newWord()] }), [])
      },
    },
    {
      statement: 'regexps, a text or several, names patterns to find.',
      async check(at) {
        const word = newWord()
        const place = await at.freshDocument(`the ${word}42 is here`)
        for (const regexps of [`${word}\\d+`, [`${word}\\d+`]]) same(await found(at, { regexps }), [nameOf(place)])
        await refusedSearch(at, { regexps: '(open' }, 'INVALID_REGEX_ERROR')
      },
    },
    {
      statement: 'Words or patterns are required.',
      check: async (at) => void (await refusedSearch(at, {})),
    },
    {
      statement: 'With fetchBlocks, matches have their blocks, whole and with IDs.',
      async check(at) {
        const word = newWord()
        await at.freshDocument(`# the ${word}`)
        same(one(await search(at, { include: word })).blocks, undefined)
        has(one(one(await search(at, { include: word, fetchBlocks: true })).blocks), { type: 'text', textStyle: 'h1' })
      },
    },
    {
      statement: 'Matches have a snippet in which the words are marked.',
      async check(at) {
        const word = newWord()
        await at.freshDocument(`the ${word} is here`)
        reads(one(await search(at, { include: word })).markdown, new RegExp(`\\*\\*${word}\\*\\*`))
      },
    },
    {
      statement: 'The best match comes first.',
      kinds: ['full', 'daily'],
      async check(at) {
        const word = newWord()
        const weak = await at.freshDocument(`${'other words '.repeat(60)} ${word}`)
        const strong = await at.freshDocument(`${word} ${word}\n\n# ${word}`)
        same(await found(at, { include: word }), [nameOf(strong), nameOf(weak)])
      },
    },
    {
      statement: 'A search answers with at most twenty documents.',
      kinds: FULL,
      async check(at) {
        const word = newWord()
        const documents = Array.from({ length: 25 }, (_, index) => ({ title: `${word} ${index}` }))
        await at.setup('documents_add', { documents })
        same((await search(at, { include: word })).length, 20)
        await refusedSearch(at, { include: word, limit: 21 })
      },
    },
    {
      statement: 'documentIds, a text or a list, limits a search to documents.',
      kinds: FULL_AND_SELECTED,
      async check(at) {
        const word = newWord()
        const { id } = await at.freshDocument(`the ${word}`)
        for (const documentIds of [id, [id]]) same(await found(at, { include: word, documentIds }), [id])
        same(await found(at, { include: word, documentIds: [at.root] }), [])
      },
    },
    {
      statement: 'documentFilterMode exclude leaves those documents out.',
      kinds: SELECTED,
      async check(at) {
        const word = newWord()
        const { id } = await at.freshDocument(`the ${word}`)
        same(await found(at, { include: word, documentIds: [id], documentFilterMode: 'exclude' }), [])
        same(await found(at, { include: word, documentIds: [at.root], documentFilterMode: 'exclude' }), [id])
      },
    },
    {
      statement: 'Each match names its exposedDocumentId.',
      kinds: SELECTED,
      async check(at) {
        const word = newWord()
        const { id } = await at.freshDocument(`the ${word}`)
        has(one(await search(at, { include: word })), { exposedDocumentId: id })
      },
    },
    {
      statement: 'location limits a search to unsorted, trash, templates or daily_notes.',
      kinds: FULL,
      async check(at) {
        const word = newWord()
        const [plain, deleted] = [await at.freshDocument(word), await at.freshDocument(word)]
        await at.setup('documents_delete', { documentIds: [deleted.id] })
        same(await found(at, { include: word, location: 'unsorted' }), [plain.id])
        same(await found(at, { include: word, location: 'trash' }), [deleted.id])
        same(await found(at, { include: word, location: 'templates' }), [])
      },
    },
    {
      statement: 'folderIds, a text or a list, limits a search to folders and their subfolders.',
      kinds: FULL,
      async check(at) {
        const word = newWord()
        const outer = await addFolder(at, 'outer')
        const inner = await addFolder(at, 'inner', { parentFolderId: outer })
        const id = await inFolder(at, inner, word)
        for (const folderIds of [outer, [outer], [inner]]) same(await found(at, { include: word, folderIds }), [id])
        same(await found(at, { include: word, folderIds: [await addFolder(at, 'empty')] }), [])
      },
    },
    {
      statement: 'location, folderIds and documentIds are not combined.',
      kinds: FULL,
      async check(at) {
        const folderIds = [await addFolder(at, 'a folder')]
        const documentIds = [at.world.hidden]
        for (const query of [
          { location: 'trash', folderIds },
          { location: 'trash', documentIds },
          { folderIds, documentIds },
        ]) {
          await refusedSearch(at, { include: 'a', ...query })
        }
      },
    },
    {
      statement: 'The bounds by dates are inclusive, and take dates or words.',
      kinds: FULL,
      async check(at) {
        const word = newWord()
        const { id } = await at.freshDocument(word)
        for (const field of ['createdDate', 'lastModifiedDate']) {
          same(await found(at, { include: word, [`${field}Gte`]: 'today', [`${field}Lte`]: '2026-11-20' }), [id])
          same(await found(at, { include: word, [`${field}Gte`]: 'tomorrow' }), [])
        }
      },
    },
    {
      statement: 'startDate and endDate, inclusive, limit a search to daily notes.',
      kinds: DAILY,
      async check(at) {
        const word = newWord()
        const { date } = await at.freshDocument(word)
        same(await found(at, { include: word, startDate: date, endDate: date }), [date])
        same(await found(at, { include: word, startDate: 'yesterday', endDate: 'today' }), [])
      },
    },
    {
      statement: 'Only what the connection reaches is found.',
      kinds: ['selected', 'daily'],
      async check(at) {
        const word = newWord()
        await at.document('hidden', { markdown: word })
        same(await found(at, { include: word }), [])
      },
    },
  ],
}
