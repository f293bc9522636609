/** Reads pasted Markdown as blocks. Loaded when it is first needed. */
import type { Block } from '../../../markdown/block.ts'
import { readGivenText } from '../../../markdown/given-text.ts'
import { readSafeMarkdown } from '../../../markdown/unsafe-addresses.ts'

/** @throws VALIDATION_ERROR for front matter, addresses that run code, and tags that are not closed */
export const readPasted = (markdown: string): Block[] => readSafeMarkdown(readGivenText(markdown).text)
