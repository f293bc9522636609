/** Spaces that differ only in hidden documents, and the responses to searches in them. */
import fc from 'fast-check'
import pg from 'pg'
import { expect, onTestFinished } from 'vitest'
import type { ConnectionKind } from '../../../src/space/model/space.ts'
import { type BuiltSpace, buildSpace, TEST_DATABASE } from '../../build.ts'
import { type Connected, connect } from '../../connect.ts'
import { runs, timeOfRuns } from '../../support/runs.ts'

const VOCABULARY = 'harbour harbours wake waking the of fox foxes read_file crème 搜索 alpha beta #t #t/u'.split(' ')
const line = fc.array(fc.constantFrom(...VOCABULARY), { minLength: 1, maxLength: 8 }).map((words) => words.join(' '))
const text = fc.array(line, { minLength: 1, maxLength: 6 }).map((lines) => lines.join('\n\n'))
const documents = fc.array(fc.record({ title: line, markdown: text }), { minLength: 1, maxLength: 6 })
const query = fc.record({
  include: fc.array(
    fc.oneof(
      line,
      line.map((words) => `"${words}"`),
      fc.constantFrom('harb', 'zzz', 'fo'),
    ),
    { maxLength: 3 },
  ),
  tags: fc.constantFrom(undefined, undefined, ['t'], ['t/u']),
  regexps: fc.array(fc.constantFrom('wak(?=ing)', 'fox', '^the', 'z+'), { maxLength: 1 }),
})

interface Part {
  title: string
  markdown: string
}

/** Draws IDs separately for each part, so that those of visible parts are the same in both twins. */
function spaceIds(): { generateIds: (count: number) => number[]; use: (name: string) => void } {
  const counts = new Map<string, number>()
  let [kind, name] = ['9', '']
  return {
    generateIds: (searches) =>
      Array.from({ length: searches }, () => {
        const count = (counts.get(name) ?? 0) + 1
        counts.set(name, count)
        return Number(`${kind}${String(count).padStart(11, '0')}`)
      }),
    use: (now) => {
      name = now
      kind = now === 'seen' ? '1' : '2'
    },
  }
}

/** Creates a space with these visible documents, and hidden ones before, between and after them. */
async function twin(kind: ConnectionKind, visible: readonly Part[], hidden: readonly Part[]): Promise<Connected> {
  const ids = spaceIds()
  const built: BuiltSpace = await buildSpace(':memory:', { generateIds: ids.generateIds })
  const full = await connect('full', { to: built })
  const seen: string[] = []
  const addHidden = async (part: Part | undefined) => {
    ids.use('hidden')
    if (part !== undefined) await full.call('documents_add', { documents: [part] })
  }
  for (const [index, part] of visible.entries()) {
    await addHidden(hidden[index])
    ids.use('seen')
    if (kind === 'selected') {
      const { items } = await full.call('documents_add', { documents: [part] })
      seen.push(items[0].id)
    } else {
      const position = { position: 'end', date: `2026-11-${10 + index}` }
      await full.call('blocks_add', { markdown: `# ${part.title}\n\n${part.markdown}`, position })
    }
  }
  for (const part of hidden.slice(visible.length)) await addHidden(part)
  return connect(kind, { to: built, documents: seen })
}

/**
 * Creates another space with the same words in the same database, which changes the statistics of the whole database.
 *
 * @returns a function that adds documents to it and updates the database's statistics
 */
async function neighbor(): Promise<(parts: readonly Part[]) => Promise<void>> {
  const { space } = await buildSpace()
  const { call } = await connect('full', { to: { space, clock: { now: 0 } } })
  const crowd = VOCABULARY.map((title) => ({ title, markdown: VOCABULARY.join('\n\n') }))
  await call('documents_add', { documents: crowd })
  const client = new pg.Client(TEST_DATABASE)
  await client.connect()
  onTestFinished(() => client.end())
  // Samples 3,000 rows of each table. The tables contain the spaces of all runs, so a larger sample would make each run
  // slower than the last.
  await client.query('SET default_statistics_target = 10')
  return async (parts) => {
    await call('documents_add', { documents: parts })
    await client.query('ANALYZE block, document, posting, indexed_block')
  }
}

/** A database estimates by the statistics of all spaces, so more can go wrong there. */
const RUNS = TEST_DATABASE === undefined ? runs(3, 30) : runs(40, 300)
/** Milliseconds that all runs together may take. */
export const HIDDEN_DOCUMENTS_TIME = timeOfRuns(RUNS)

/**
 * Searches twins whose hidden documents differ.
 *
 * @param kind  the kind of connection
 * @param tool  the tool for searching
 * @throws AssertionError if a response reveals hidden documents
 */
export async function searchWithHiddenDocuments(kind: ConnectionKind, tool: string): Promise<void> {
  const addToNeighbor = TEST_DATABASE === undefined ? undefined : await neighbor()
  await fc.assert(
    fc.asyncProperty(
      documents,
      documents,
      documents,
      fc.array(query, { minLength: 3, maxLength: 6 }),
      async (visible, one, other, queries) => {
        const [first, second, bare] = await Promise.all([
          twin(kind, visible, one),
          twin(kind, visible, other),
          twin(kind, visible, []),
        ])
        const searches = queries.filter(({ include, regexps }) => include.length + regexps.length > 0)
        const answersOf = async ({ call }: Connected): Promise<string[]> => {
          const answers: string[] = []
          for (const query of searches) answers.push(JSON.stringify(await call(tool, { ...query, fetchBlocks: true })))
          return answers
        }
        const [answers, ...besideHidden] = await Promise.all([bare, first, second].map(answersOf))
        for (const one of besideHidden) expect(one).toEqual(answers)
        if (addToNeighbor === undefined) return
        await addToNeighbor(other)
        expect(await answersOf(first)).toEqual(answers)
      },
    ),
    { numRuns: RUNS },
  )
}
