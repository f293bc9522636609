import { describe, expect, it } from 'vitest'
import { ScriptoriumError } from '../../src/base/errors.ts'
import type { Block } from '../../src/markdown/block.ts'
import { readMarkdown } from '../../src/markdown/read-markdown.ts'
import { writeMarkdown } from '../../src/markdown/write-markdown.ts'
import { hostileTexts } from './hostile-texts.ts'

// Quadratic time would take minutes at this length, far more than a test may.
const SIZE = 2 ** 18

describe('hostile texts', () => {
  for (const { name, text } of hostileTexts(SIZE)) {
    it(`should end, as blocks or as an error: ${name}`, () => {
      try {
        readMarkdown(text)
      } catch (error) {
        expect(error).toBeInstanceOf(ScriptoriumError)
      }
    })
  }
})

describe('nested marks', () => {
  it('should be text from level 99', () => {
    const blocks = readMarkdown(`${'> '.repeat(104)}a`)
    expect(blocks).toEqual([{ type: 'text', text: '> > > > > > a', decorations: { quote: true } }])
  })
  it('should be refused in deep lists, with the place', () => {
    const text = Array.from({ length: 100 }, (_, level) => `${'  '.repeat(level)}- word${level}`).join('\n')
    expect(() => readMarkdown(text)).toThrow(
      'Expected lists of at most 32 levels below the first, found more at line 34',
    )
  })
})

describe('deep trees', () => {
  it('should be written without recursion', () => {
    let tree: Block = { type: 'page', text: 'a' }
    for (let level = 0; level < 100_000; level++) tree = { type: 'page', text: 'a', content: [tree] }
    const text = writeMarkdown([tree])
    expect(text.match(/<page>/g)).toHaveLength(100_001)
    expect(text.match(/<\/page>/g)).toHaveLength(100_001)
  })
})
