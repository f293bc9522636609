/** A list of keyboard shortcuts. It is a popover, which also works without scripts. */
import { type Html, html } from '../html.ts'

const KEYS: readonly [keys: readonly string[], about: string][] = [
  [['Ctrl', 'K'], 'Find, or go to a document'],
  [['g', 'h'], 'Home'],
  [['g', 'n'], 'Now: what happens'],
  [['g', 'd'], 'Documents'],
  [['g', 't'], 'Today'],
  [['g', 'a'], 'Tasks'],
  [['c'], 'New document, or task'],
  [['h'], 'History of the document'],
  [['Ctrl', '← →'], 'Move a card of a board'],
  [['Ctrl', 'Alt', 'm'], 'Comment on the block'],
  [['Ctrl', 'Alt', 'r'], 'Set a reminder for the block'],
  [['w'], 'Who wrote what'],
  [['e'], 'Write at the end of the document'],
  [['/'], 'In a text: another kind of block'],
  [['Ctrl', 'z'], 'Undo your last change of the document'],
  [['Alt', 'Shift', '↑'], 'Move the block up'],
  [['Esc'], 'Leave the text, and choose the block'],
  [['?'], 'This list'],
]

export const keysHtml = (): Html =>
  html`<div id="keys" popover role="dialog" aria-labelledby="keys-title"><h2 id="keys-title">Keys</h2><dl>${KEYS.map(
    ([keys, about]) =>
      html`<div><dt>${keys.map((key, index) => html`${index > 0 && ' '}<kbd>${key}</kbd>`)}</dt><dd>${about}</dd></div>`,
  )}</dl><button popovertarget="keys" popovertargetaction="hide">Close</button></div>`
