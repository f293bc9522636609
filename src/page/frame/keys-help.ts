/** A list of keyboard shortcuts. It is a popover, which also works without scripts. */
import { type Html, html } from '../html.ts'
import { type TextKey, text, textKey } from '../texts/text.ts'

const KEYS: readonly [keys: readonly string[], about: TextKey][] = [
  [['Ctrl', 'K'], textKey('Find, or go to a document')],
  [['g', 'h'], textKey('Home')],
  [['g', 'n'], textKey('Now: what happens')],
  [['g', 'w'], textKey('Waiting for you')],
  [['g', 'd'], textKey('Documents')],
  [['g', 't'], textKey('Today')],
  [['g', 'a'], textKey('Tasks')],
  [['c'], textKey('New document, or task')],
  [['h'], textKey('History of the document')],
  [['Ctrl', '← →'], textKey('Move a card of a board')],
  [['Ctrl', 'Alt', 'm'], textKey('Comment on the block')],
  [['Ctrl', 'Enter'], textKey('Send a comment, or another form with a text')],
  [['Ctrl', 'Alt', 'r'], textKey('Set a reminder for the block')],
  [['w'], textKey('Who wrote what')],
  [['e'], textKey('Write at the end of the document')],
  [['/'], textKey('In a text: another kind of block')],
  [['Ctrl', 'z'], textKey('Undo your last change of the document')],
  [['Alt', 'Shift', '↑'], textKey('Move the block up')],
  [['Esc'], textKey('Leave the text, and choose the block')],
  [['?'], textKey('This list')],
]

export const keysHtml = (): Html =>
  html`<div id="keys" popover role="dialog" aria-labelledby="keys-title"><h2 id="keys-title">Keys</h2><dl>${KEYS.map(
    ([keys, about]) =>
      html`<div><dt>${keys.map((key, index) => html`${index > 0 && ' '}<kbd>${key === 'Ctrl' ? text('Ctrl') : key}</kbd>`)}</dt><dd>${about}</dd></div>`,
  )}</dl><button popovertarget="keys" popovertargetaction="hide">Close</button></div>`
