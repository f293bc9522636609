/**
 * Finds the tags of a block, for the table of tags: `#tag` in its text, and `tags` in front matter, which is the code block
 * in YAML or TOML at the beginning of a document.
 */

import type { BlockRow } from '../../../storage/schema.ts'
import type { IndexedTag } from '../../../storage/word-index.ts'
import { yieldToEventLoop } from '../../base/scheduling.ts'
import type { BlockFields } from '../../markdown/block.ts'
import { isCodeText, isTableText } from '../../markdown/block-traits.ts'
import { fenceInfo } from '../../markdown/blocks/code-block.ts'
import { readInline } from '../../markdown/inline/read-inline.ts'
import { splitChunks } from '../../markdown/inline-text.ts'
import { tableCellPlaces } from '../../markdown/table-cells.ts'
import { findTags, isTagName, tagKey, tagWithAncestors } from '../../markdown/tags.ts'

/** True for blocks that may have tags. Most have none and need not be parsed. */
export const mayHaveTags = (row: BlockRow): boolean =>
  isCodeText(row.type) ? TAGS_FIELD.test(row.text) && frontMatterLanguage(row) !== undefined : row.text.includes('#')

/** The keys under which Obsidian and others keep tags. */
const TAGS_FIELD = /^[ \t]*["']?tags?["']?[ \t]*[:=]/im

function frontMatterLanguage({ type, attributes }: BlockRow): 'yaml' | 'toml' | undefined {
  if (type !== 'code' || attributes === null) return undefined
  const info = fenceInfo({ type, ...(JSON.parse(attributes) as Partial<BlockFields>) })
  return info === 'yaml' || info === 'toml' ? info : undefined
}

/** The tags of a block and those that contain them, each once, as the first one is written. */
export async function blockTags(row: BlockRow): Promise<IndexedTag[]> {
  const isProperty = isCodeText(row.type)
  const names = isProperty ? await frontMatterTags(row) : await textTags(row)
  const tags = new Map<string, IndexedTag>()
  for (const name of names.flatMap(tagWithAncestors)) {
    const tag = tagKey(name)
    if (!tags.has(tag)) tags.set(tag, { tag, name, isProperty })
  }
  return [...tags.values()]
}

async function textTags({ type, text }: BlockRow): Promise<string[]> {
  const names: string[] = []
  const cells = isTableText(type) ? tableCellPlaces(text).map(({ cell }) => cell) : [text]
  for (const cell of cells) {
    if (!cell.includes('#')) continue
    let isAfterSpace = true
    for (const chunk of splitChunks(cell)) {
      for (const places of findTags(readInline(chunk), isAfterSpace).values())
        names.push(...places.map(({ name }) => name))
      isAfterSpace = /\s$/.test(chunk)
      if (chunk.length < cell.length) await yieldToEventLoop()
    }
  }
  return names
}

async function frontMatterTags(row: BlockRow): Promise<string[]> {
  // YAML and TOML are rarely needed.
  const { parseToml, parseYaml, textsOf } = await import('../../markdown/front-matter.ts')
  const { values } = frontMatterLanguage(row) === 'toml' ? parseToml(row.text) : parseYaml(row.text)
  const keyOf = (wanted: string) => Object.keys(values).find((key) => key.toLowerCase() === wanted) ?? wanted
  return ['tags', 'tag']
    .flatMap((key) => textsOf(values, keyOf(key)))
    .map((name) => name.replace(/^#/, '').trim())
    .filter(isTagName)
}
