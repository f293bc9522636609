/** Every example of the specifications of CommonMark and GFM is exported as it was imported. */
import { createRequire } from 'node:module'
import { expect, test } from 'vitest'
import { imported, markdownFormat, obsidianFormat } from '../import/importing.ts'
import { GFM_EXAMPLES } from '../markdown/gfm-examples.ts'
import { filesOf } from './memory-target.ts'

/** The package has no types. Tabs are arrows in its examples. */
const { tests }: { tests: { number: number; markdown: string }[] } = createRequire(import.meta.url)('commonmark-spec')

const FILES = Object.fromEntries([
  ...tests.map(({ number, markdown }) => [`CommonMark ${number}.md`, markdown.replaceAll('→', '\t')]),
  ...GFM_EXAMPLES.map(([section, markdown]) => [`GFM ${section}.md`, markdown]),
])

test.each([markdownFormat, obsidianFormat])('as $name', async (format) => {
  const { space } = await imported(FILES, format)
  const written = await filesOf(space)
  const changed = Object.entries(FILES).filter(([path, text]) => written.get(path) !== text)
  expect(changed.map(([path, text]) => [path, text, written.get(path)])).toEqual([])
})
