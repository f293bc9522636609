/** Small functions that everybody needs are written in one place, so that they cannot differ. */
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const root = join(import.meta.dirname, '..')
const files = ['src', 'tools', 'storage'].flatMap((folder) => globSync(`${folder}/**/*.ts`, { cwd: root }))
const texts = files.map((file) => [file, readFileSync(join(root, file), 'utf8')] as const)
/** Patterns begin with `\b` where they begin with a word, so that each word is tried once. */
const filesWith = (pattern: RegExp): string[] =>
  texts.flatMap(([file, text]) => (pattern.test(text) ? [file] : [])).sort()

test('an object is told from null and lists by isObject', () => {
  expect(filesWith(/\b(\w+) !== null && !Array\.isArray\(\1\)/)).toEqual(['src/base/is-object.ts'])
})

test('the text of what was thrown comes from messageOf', () => {
  // Scripts of the page have one of their own.
  const own = 'src/page/assets/page-background.ts'
  expect(filesWith(/\b(\w+) instanceof Error \? \1\.message : String\(\1\)/)).toEqual(['src/base/errors.ts', own])
})

test('numbers in messages are formatted by formatNumber', () => {
  // Regular expressions import nothing of ours, and texts of the page have the numbers of its language.
  const own = ['src/page/assets/page-text.ts', 'src/regex/pattern-errors.ts']
  expect(filesWith(/toLocaleString\(/)).toEqual(own)
  expect(filesWith(/\(\?=\(\?:\\d\{3\}\)/)).toEqual(['src/base/format-number.ts'])
})

// Other files of its worker would run with modules that exist twice.
test('a test that resets modules has a process of its own', () => {
  const resets = ['vi', 'resetModules'].join('.')
  const tests = globSync('test/**/*.test.ts', { cwd: root })
  const shared = tests.filter((file) => !file.endsWith('.alone.test.ts'))
  expect(shared.length).toBeGreaterThan(500)
  expect(shared.filter((file) => readFileSync(join(root, file), 'utf8').includes(resets))).toEqual([])
})
