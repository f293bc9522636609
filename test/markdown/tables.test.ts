import { describe, expect, test } from 'vitest'
import { readMarkdown } from '../../src/markdown/read-markdown.ts'
import { writeMarkdown } from '../../src/markdown/write-markdown.ts'

const written = (markdown: string) => writeMarkdown(readMarkdown(markdown))

describe('cells beyond the header', () => {
  test('should widen the table, and stay', () => {
    const wide = '| a | b |  |\n| :---: | --- | --- |\n| 1 | 2 | **three** |\n| 4 |  |  |'
    expect(written('| a | b |\n| :-: | - |\n| 1 | 2 | __three__ |\n| 4 |')).toBe(wide)
    expect(written(wide)).toBe(wide)
  })

  test('should be split as GFM splits cells, also in quotes and items', () => {
    expect(written('> | a |\n> | - |\n> 1 | `x \\| y` | \\\\|')).toContain('| 1 | `x \\| y` | \\| |')
    expect(written('- x\n\n  | a |\n  | - |\n  | 1 | 2')).toContain('| 1 | 2 |')
  })

  test('should not widen it if they are empty', () => {
    expect(written('| a |\n| - |\n| 1 | | |')).toBe('| a |\n| --- |\n| 1 |')
  })

  test('should be refused if the other rows would need too many empty cells', () => {
    const rows = `| a |\n| - |\n${'| 1 |\n'.repeat(300)}${'| 1 '.repeat(300)}|`
    expect(() => readMarkdown(rows)).toThrow(
      'Expected a table whose rows have about as many cells as its header, found a row of 300 cells, for which the others would need 89999 empty ones; give the header as many cells, or split the table.',
    )
  })
})
