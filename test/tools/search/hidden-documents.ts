/** Spaces that differ in hidden documents alone, and what searches in them answer. */
import fc from 'fast-check'
import pg from 'pg'
import { expect, onTestFinished } from 'vitest'
import type { ConnectionKind } from '../../../src/space/model/space.ts'
import { type BuiltSpace, buildSpace, TEST_DATABASE } from '../../build.ts'
import { type Connected, connect } from '../../connect.ts'
import { runs, timeOfRuns } from '../../support/runs.ts'

const VOCABULARY = 'harbour harbours wake waking the of fox foxes read_file crème 搜索 alpha beta'.split(' ')
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
  regexps: fc.array(fc.constantFrom('wak(?=ing)', 'fox', '^the', 'z+'), { maxLength: 1 }),
})

interface Part {
  title: string
  markdown: string
}

/** IDs by what they are of, so that those of visible parts are the same in both twins. */
function spaceIds(): { drawIds: (count: number) => number[]; use: (name: string) => void } {
  const counts = new Map<string, number>()
  let [kind, name] = ['9', '']
  return {
    drawIds: (wanted) =>
      Array.from({ length: wanted }, () => {
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

/** A space with these visible documents, and hidden ones put before, between and after them. */
async function twin(kind: ConnectionKind, visible: readonly Part[], hidden: readonly Part[]): Promise<Connected> {
  const ids = spaceIds()
  const built: BuiltSpace = await buildSpace(':memory:', { drawIds: ids.drawIds })
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
 * Another space of the same database, with the same words: it changes what the database knows of all of them together.
 *
 * @returns adds documents to it, and has the database gather statistics
 */
async function neighbor(): Promise<(parts: readonly Part[]) => Promise<void>> {
  const { space } = await buildSpace()
  const { call } = await connect('full', { to: { space, clock: { now: 0 } } })
  const crowd = VOCABULARY.map((title) => ({ title, markdown: VOCABULARY.join('\n\n') }))
  await call('documents_add', { documents: crowd })
  const client = new pg.Client(TEST_DATABASE)
  await client.connect()
  onTestFinished(() => client.end())
  // From 3,000 rows of a table: the spaces of all tries are in it, so that more would take longer with each of them.
  await client.query('SET default_statistics_target = 10')
  return async (parts) => {
    await call('documents_add', { documents: parts })
    await client.query('ANALYZE block, document, posting, indexed_block')
  }
}

const RUNS = TEST_DATABASE === undefined ? runs(3, 30) : runs(300, 300)
/** Milliseconds that all tries together may take. */
export const HIDDEN_DOCUMENTS_TIME = timeOfRuns(RUNS)

/**
 * Searches twins, whose hidden documents differ.
 *
 * @param kind  of the connection @param tool  that it searches with
 * @throws AssertionError where an answer tells of them
 */
export async function searchBesideHiddenDocuments(kind: ConnectionKind, tool: string): Promise<void> {
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
        const asked = queries.filter(({ include, regexps }) => include.length + regexps.length > 0)
        const answersOf = async ({ call }: Connected): Promise<string[]> => {
          const answers: string[] = []
          for (const query of asked) answers.push(JSON.stringify(await call(tool, { ...query, fetchBlocks: true })))
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
