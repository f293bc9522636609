/** How texts become words of an index whose engine has no tokenizer that agrees with ours. */
import type { WordTools } from '../../../storage/word-index.ts'
import { indexedText } from './indexed-text.ts'
import { stem } from './stem.ts'
import { splitWords } from './word-segmentation.ts'

export const wordTools: WordTools = {
  extract: indexedText,
  split: (text) => splitWords(text).map(({ word }) => word),
  stem,
}
