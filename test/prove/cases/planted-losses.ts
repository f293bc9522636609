/** Blocks that lost one thing, as a parser with a fault would store them. */
import type { Block } from '../../../src/markdown/block.ts'
import { calloutLevels } from '../../../src/markdown/callout-levels.ts'

/** Each way to lose something. Undefined if the block has no such thing. */
export const PLANTED: Readonly<Record<string, (block: Block) => Block | undefined>> = {
  // Only where the text ends with it: the last word of a link may be its title, which readers do not see.
  'the last word of a text': ({ ...block }) => {
    const found = /[\p{L}\p{M}\p{N}]+$/u.exec(block.text)
    return block.type === 'text' && found ? { ...block, text: block.text.slice(0, found.index) } : undefined
  },
  'the number of an item': ({ listStyle, ...block }) => (listStyle === 'numbered' ? block : undefined),
  'the box of a task': ({ taskInfo, listStyle, ...block }) =>
    taskInfo ? { ...block, listStyle: 'bullet' } : undefined,
  'the last row of a table': (block) => {
    const lines = block.text.split('\n')
    return block.type === 'table' && lines.length > 2 ? { ...block, text: lines.slice(0, -1).join('\n') } : undefined
  },
  'the last line of code': (block) => {
    if (block.type !== 'code' || !/\S/.test(block.text)) return undefined
    return { ...block, text: block.text.split('\n').slice(0, -1).join('\n') }
  },
  'the language of code': ({ language, info, ...block }) =>
    language === undefined && info === undefined ? undefined : { ...block, language: 'other' },
  'the title of a callout': ({ decorations, ...block }) =>
    calloutLevels({ ...(decorations && { decorations }) }).some(({ title }) => title !== undefined)
      ? { ...block, decorations: { callout: true } }
      : undefined,
  'an address': ({ url, ...block }) => (url === undefined ? undefined : block),
}
