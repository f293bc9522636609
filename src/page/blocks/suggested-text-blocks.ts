/** What a person has suggested in the text of a page, for the script with which they go on. */
import type { Title } from '../../markdown/inline-title.ts'

/** A block as the editing script has it, without its HTML. */
export interface EditedBlock {
  id: string
  fields: object
  markdown: string
}

export interface OwnSuggestions {
  /** The IDs of the proposals. */
  proposals: string[]
  /** The names of what they propose. */
  versions: string[]
  /** If another one is suggested. */
  title?: Title
  /** The IDs of all blocks, in order. */
  order: string[]
  /** New blocks, and those that are changed or moved. */
  blocks: EditedBlock[]
  added: string[]
  removed: string[]
}
