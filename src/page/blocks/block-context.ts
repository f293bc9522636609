/** The context in which blocks are rendered. */

import type { InlineNode } from '../../markdown/inline/inline-node.ts'
import type { JsonBlock } from '../../space/model/json-block.ts'
import type { Formats } from '../formats.ts'
import type { Html } from '../html.ts'
import type { Pictures } from '../member-picture.ts'
import type { InlineContentContext } from './inline-content-html.ts'
import type { SuggestedRun } from './suggested-words.ts'

/** Addresses of forms for blocks. A form is absent if the link may not use it. */
export interface BlockForms {
  /** Changes a task. */
  task?(id: string): string
  /** Adds a comment to a block, or replies to one. */
  comment?(blockId: string): string
  /** True for a link that may confirm comments of authors who may not write. */
  confirms?: true
  /** Where a guest gives a name, before commenting. */
  guestName?: string
  /** Sets a reminder of a block. */
  remind?(blockId: string): string
  /** Changes or deletes one's own comment. */
  ownComment?(id: string, blockId: string): string
  /** The author whose comments may be changed. Absent if comments cannot be changed or resolved. */
  author?: string
}

/** What others suggest to change, drawn in the blocks and below them. */
export interface BlockSuggestions {
  /** Words that are struck and inserted in the text of a block. @param text  its inline Markdown */
  runs(id: string, text: string): readonly SuggestedRun[] | undefined
  /** @param present  renders words that are there now */
  wordsHtml(runs: readonly SuggestedRun[], present: (spans: readonly InlineNode[]) => Html): Html
  /** Classes of the element of a block, each after a space. */
  look(id: string): string
  /** What stands below a block. @param text  its inline Markdown, if words are drawn in it */
  below(id: string, text: string | undefined): Html
}

/** The context of the writer, apart from the blocks. */
export interface BlockContext extends InlineContentContext {
  formats: Formats
  /** Of members, by name. */
  pictures?: Pictures
  /** True if the checkboxes of tasks can be ticked. */
  mayChange: boolean
  forms?: BlockForms
  suggestions?: BlockSuggestions | undefined
  /** True if a script edits the blocks: each is then a separate element with its Markdown. */
  isEditable: boolean
  /** True where files can be opened in the browser. */
  showsFiles?: true
  /** True if a program has just written the block. */
  isFresh(block: JsonBlock): boolean
  /** The name of a block's last author, as shown to readers. */
  writerOf(block: JsonBlock): string
  /** Renders a collection. */
  collection(block: JsonBlock): Promise<Html>
}
