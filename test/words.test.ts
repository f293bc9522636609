/**
 * The names, comments and sentences of the code use the standard terms of its field. Old-fashioned words, and earlier
 * private names for these terms, may not come back.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const ROOT = join(import.meta.dirname, '..')

/** Each with its replacement. */
const BANNED_WORDS: Record<string, string> = {
  amid: 'between, in the middle of',
  anew: 'again',
  aside: 'in a worker',
  breathe: 'yieldToEventLoop',
  heed: 'respect',
  hence: 'so',
  judge: 'check, detect',
  ledger: 'rate limiter, usage',
  lest: 'so that … not',
  mend: 'repair, correct',
  mended: 'repaired, corrected',
  nobody: 'no one, or the passive',
  parting: 'graceful close',
  reckon: 'compute, aggregate',
  reckoned: 'computed',
  said: 'the noun: message, notice',
  stray: 'not expected',
  thus: 'so',
  told: 'sent, notified, given',
  uncompiled: 'compileSchema',
  upon: 'on',
  whence: 'from where',
  whoever: 'the person who, the client that',
  worths: 'scores',
}

/** Names of types that say nothing without their noun, as in `ParseInput`, `PreparedCall`, `SearchResult`. */
const BANNED_NAMES = ['Asked', 'Done', 'Found', 'Kept', 'Ready', 'Said', 'Told']

/** Applied migrations are never changed, and lists of words that others use are data. */
const LEFT_OUT = [join('sqlite', 'migrations'), join('space', 'search', 'asking-words.ts')]
const FOLDERS = ['src', 'tools', 'storage']
const sources = FOLDERS.flatMap((folder) =>
  readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.[jt]s$/.test(name) && !LEFT_OUT.some((place) => name.startsWith(place)))
    .map((name) => join(folder, name)),
)

/** `readBlockLinksAside` has five words. The HTML element does not count. */
const wordsOf = (line: string): string[] =>
  line.replace(/<(?:\\?\/|\(\\\/\?\))?aside>/g, '').match(/[A-Z]?[a-z]+|[A-Z]+(?![a-z])/g) ?? []

function findBanned(line: string): string[] {
  const words = wordsOf(line)
    .map((word) => word.toLowerCase())
    .filter((word) => Object.hasOwn(BANNED_WORDS, word))
    .map((word) => `${word} (write: ${BANNED_WORDS[word]})`)
  const names = [...line.matchAll(/\b(?:type|interface|class) (\w+)/g)]
    .map(([, name = '']) => name)
    .filter((name) => BANNED_NAMES.includes(name))
    .map((name) => `type ${name} (write: a name with its noun)`)
  return [...words, ...names]
}

/** In tests, sentences may contain any words, since they are also data. Names may not. */
const DECLARED = /\b(?:const|let|function|class|interface|type) (?:(\w+)|[{[]([^}\]]*)[}\]])/g
const testSources = readdirSync(import.meta.dirname, { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.ts') && name !== 'words.test.ts')
  .map((name) => join('test', name))

test('a banned word is found in names, comments and sentences', () => {
  expect(findBanned('const judgeBytes = 1')).toEqual(['judge (write: check, detect)'])
  expect(findBanned('// Whoever runs it')).toEqual(['whoever (write: the person who, the client that)'])
  expect(findBanned('interface Asked {')).toEqual(['type Asked (write: a name with its noun)'])
  expect(findBanned('the trimEnd of recommended words, AsideX')).toEqual(['aside (write: in a worker)'])
})

test('no test or proof declares a name with one', () => {
  const found = testSources.flatMap((source) =>
    [...readFileSync(join(ROOT, source), 'utf8').matchAll(DECLARED)].flatMap(([, name, names = '']) =>
      findBanned(name ?? names).map((word) => `${source}: ${word}`),
    ),
  )
  expect(found).toEqual([])
})

test('the sources have none', () => {
  const found = sources.flatMap((source) => {
    const lines = readFileSync(join(ROOT, source), 'utf8').split('\n')
    return lines.flatMap((line, index) => findBanned(line).map((word) => `${source}:${index + 1}: ${word}`))
  })
  expect(found).toEqual([])
})
