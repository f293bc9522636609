/** Patterns over blocks of Markdown, compared with bare loops of re2js and of V8's engine over the same strings. */
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { RE2JS } from 're2js'
import { compilePattern } from '../../src/regex/pattern.ts'
import { type Figure, interleaved, type Measure, timed } from './figure.ts'

const LENGTH = 10_000_000
const ROUNDS = 5
const root = join(import.meta.dirname, '../..')

/** Patterns without lookarounds, which may be at most 1.3 times as slow as with re2js. */
const PLAIN = [
  'error',
  '(?i)error',
  '\\bfoo\\w+',
  '(foo|bar)\\s+\\d',
  '[a-z]+ing\\b',
  '\\d{4}-\\d{2}-\\d{2}',
  '\\pL+\\d',
]
/** Patterns with lookarounds, which must reach at least 40 MB/s. */
const AROUND = [
  '\\bfoo(?=\\s+\\w+)',
  '(?<!un)known(?! as)',
  '(?i)error(?!s\\b)',
  '\\w+(?=\\()',
  '(?<![\\w-])the(?!\\w)',
  '^(?=.*\\d)(?=.*[A-Z]).*npm',
]
/** Patterns with lookbehinds, which re2js supports too. */
const BEHIND = ['(?<=foo )bar', '(?<=\\$)\\d+', '(?<=[.!?] )[A-Z]\\w+']

export const measure: Measure = async () => {
  const texts = blocks()
  const length = texts.reduce((sum, text) => sum + text.length, 0)
  const rate = (milliseconds: number) => length / milliseconds / 1_000
  const figures: Figure[] = []
  const notes: string[] = [`${texts.length.toLocaleString('en-US')} blocks, ${(length / 1e6).toFixed(1)} MB`]

  const compare = async (source: string, goal: Figure['goal'], bare: { name: string; test(text: string): boolean }) => {
    const pattern = compilePattern(source, { caseSensitive: true })
    const [ours, theirs] = [pattern.test, bare.test].map((test) => texts.filter((text) => test(text)).length)
    if (ours !== theirs) notes.push(`${source}: ${ours} texts match, and ${theirs} by ${bare.name}.`)
    const all = (test: (text: string) => boolean) => () => timed(() => texts.forEach((text) => void test(text)))
    const times = await interleaved(ROUNDS, all(pattern.test), all(bare.test))
    figures.push({
      what: source,
      floor: bare.name,
      ours: rate(times.ours),
      bare: rate(times.bare),
      ratio: times.ratio,
      unit: 'MB/s',
      goal,
    })
  }

  for (const source of PLAIN) await compare(source, { of: 'ratio', most: 1.3 }, re2js(source))
  for (const source of AROUND) await compare(source, { of: 'ours', least: 40 }, v8(source))
  for (const source of BEHIND) await compare(source, { of: 'ratio', most: 1 }, re2js(source))
  return { figures, notes }
}

function re2js(source: string): { name: string; test(text: string): boolean } {
  const compiled = RE2JS.compile(source, RE2JS.LOOKBEHINDS)
  return { name: 're2js', test: (text) => compiled.test(text) }
}

function v8(source: string): { name: string; test(text: string): boolean } {
  const expression = new RegExp(source.replace('(?i)', ''), source.startsWith('(?i)') ? 'iu' : 'u')
  return { name: 'V8', test: (text) => expression.test(text) }
}

/** Splits the Markdown of the packages into blocks, repeated until there is enough. */
function blocks(): string[] {
  const result: string[] = []
  let length = 0
  const files = globSync('node_modules/**/*.md', { cwd: root })
  const texts = files.flatMap((file) => readFileSync(join(root, file), 'utf8').split(/\n{2,}/))
  while (length < LENGTH) {
    for (const text of texts) {
      // Copied through a buffer, so that each block is a flat string of its own.
      result.push(Buffer.from(text).toString())
      length += text.length
    }
  }
  return result
}
