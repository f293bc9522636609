/** The suggestions of a page, for the script that edits it: the same HTML in pieces, and positions in place of struck words. */
import type { DrawnBlock, DrawnForEditor } from '../blocks/drawn-block.ts'
import type { DocumentSuggestions } from './document-suggestions.ts'
import { insertedHtml } from './suggested-text.ts'

const NONE: DrawnForEditor = { count: 0, above: '', start: '', blocks: [] }

export function drawnForEditor(suggestions: DocumentSuggestions | undefined): DrawnForEditor {
  if (suggestions === undefined) return NONE
  const blocks = suggestions.blocks.map((id) => blockOf(suggestions, id))
  return {
    count: suggestions.count,
    above: String(suggestions.above()),
    start: String(suggestions.start()),
    blocks,
  }
}

function blockOf(suggestions: DocumentSuggestions, id: string): DrawnBlock {
  const inText = suggestions.firstWords(id)
  const text = inText?.words?.text
  const block = { id, look: suggestions.look(id).trim(), below: String(suggestions.below(id, undefined)) }
  if (inText?.words === undefined || text === undefined) return block
  const runs = inText.words.runs.map(({ sign, size, spans }) => ({
    ...{ sign, size },
    ...(sign === '+' && { html: String(insertedHtml(spans)) }),
  }))
  return { ...block, words: { text, tone: inText.tone, runs, below: String(suggestions.below(id, text)) } }
}
