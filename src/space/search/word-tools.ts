/** Splits texts into words for index engines without a tokenizer that agrees with this program. */
import type { WordTools } from '../../../storage/word-index.ts'
import { indexedText } from './indexed-text.ts'
import { stem } from './stem.ts'
import { splitWords } from './word-segmentation.ts'

export const wordTools: WordTools = {
  extract: indexedText,
  split: (text) => splitWords(text).map(({ word }) => word),
  stem,
}
