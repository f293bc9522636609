/** What a connection does not reach changes nothing of an answer: not a score, not an order, not a count, not a note. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { ConnectionKind } from '../../src/space/model/space.ts'
import { type BuiltSpace, buildSpace } from '../build.ts'
import { type Connected, connect } from '../connect.ts'
import { runs } from '../support/runs.ts'

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

describe.each([
  ['selected', 'documents_search'],
  ['daily', 'daily_notes_search'],
] as const)('on a %s connection', (kind, tool) => {
  test('hidden documents change no answer', { timeout: 60_000 }, async () => {
    await fc.assert(
      fc.asyncProperty(
        documents,
        documents,
        documents,
        fc.array(query, { minLength: 3, maxLength: 6 }),
        async (visible, one, other, queries) => {
          const [first, second, bare] = [
            await twin(kind, visible, one),
            await twin(kind, visible, other),
            await twin(kind, visible, []),
          ]
          for (const asked of queries) {
            if (asked.include.length + asked.regexps.length === 0) continue
            const answers: string[] = []
            for (const { call } of [first, second, bare])
              answers.push(JSON.stringify(await call(tool, { ...asked, fetchBlocks: true })))
            expect(answers[1]).toBe(answers[0])
            expect(answers[2]).toBe(answers[0])
          }
        },
      ),
      { numRuns: runs(3, 30) },
    )
  })
})
