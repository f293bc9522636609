/** Draws the words of a suggestion in a text. */
import type { InlineNode } from '../../markdown/inline/inline-node.ts'
import type { SuggestedRun } from '../blocks/suggested-words.ts'
import { type Html, html, joinHtml } from '../html.ts'
import { proposedSpans } from './proposed-words.ts'

/** @param present  renders words that are there now, also those that are struck */
export const runsHtml = (runs: readonly SuggestedRun[], present: (spans: readonly InlineNode[]) => Html): Html =>
  joinHtml(runs.map((run) => (run.sign === ' ' ? present(run.spans) : runHtml(run, present))))

const runHtml = ({ sign, spans }: SuggestedRun, present: (spans: readonly InlineNode[]) => Html): Html =>
  sign === '-' ? html`<del class="old">${present(spans)}</del>` : insertedHtml(spans)

/** Words that are inserted: in the HTML of the server, and in a decoration of the editor. */
export const insertedHtml = (spans: readonly InlineNode[]): Html => html`<ins class="new">${proposedSpans(spans)}</ins>`
