/** Blocks as HTML, rendered from the JSON of `blocks_get`. */
import type { BlockContext } from '../../src/page/blocks/block-context.ts'
import { BlockWriter } from '../../src/page/blocks/block-writer.ts'
import { Formulas } from '../../src/page/blocks/formula-html.ts'
import { Formats } from '../../src/page/formats.ts'
import { html } from '../../src/page/html.ts'
import { PageLinks } from '../../src/page/page-links.ts'
import type { JsonBlock } from '../../src/space/model/json-block.ts'
import { NOW } from '../build.ts'

export const SPACE_ID = '00000000-0000-7000-8000-000000000001'
export const links = new PageLinks('/view/key', SPACE_ID)
export const formats = new Formats(['en-US'], 'Europe/Budapest', NOW)

export const context: BlockContext = {
  ...{ links, formats, formulas: new Formulas() },
  mayChange: true,
  isEditable: false,
  isFresh: () => false,
  writerOf: () => 'Anna',
  collection: async () => html`<table></table>`,
}

let count = 0

/** A block with its own ID. */
export const block = (markdown: string, more: Partial<JsonBlock> = {}): JsonBlock => ({
  id: `b${++count}`,
  type: 'text',
  markdown,
  ...more,
})

/** The HTML of these blocks without what every block has. */
export async function written(...blocks: JsonBlock[]): Promise<string> {
  const formulas = new Formulas()
  const writer = new BlockWriter({ ...context, formulas })
  const [text] = await formulas.fill([html`${await writer.write(blocks)}${writer.end()}`])
  return bare(String(text))
}

/** Without the elements around each block, and without their IDs and directions. */
export const bare = (text: string): string =>
  text
    .replaceAll('\n', '')
    .replaceAll(' dir="auto"', '')
    .replace(/<div class="part">(.*)<\/div>$/s, '$1')
    .replace(/ (?:id|aria-labelledby)="[bt]?b?\d+"/g, '')
    .replace(/<div class="block">(.*?)<\/div>/g, '$1')
    .replace(/<div class="line">(.*?)<\/div>/g, '$1')
    .replaceAll(' class="block"', '')
