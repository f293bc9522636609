/** Comments on selected words where the text cannot be edited: a button beside them opens the form for a comment. */
import { text } from './page-text.ts'

/** What stands around the text of a block. */
const AROUND = '.who, .comments, .linked, .suggestion, .hidden, button, ins.new'
const BLOCK = 'article [id^="b"]'
const FORM = '.who a[href*="/comments/new"]'

interface SelectedWords {
  link: HTMLAnchorElement
  words: string
  /** Where they begin in the visible text of their block. */
  start: number
}

const button = document.createElement('button')
button.type = 'button'
button.textContent = text('Comment')
button.className = 'button plain'
button.style.position = 'absolute'
button.style.zIndex = '5'
// The selection stays.
button.addEventListener('pointerdown', (event) => event.preventDefault())
button.addEventListener('click', () => {
  const selected = selectedWords()
  button.remove()
  if (selected === undefined) return
  const { link, words, start } = selected
  const { href } = link
  const address = new URL(href)
  address.searchParams.set('words', words)
  address.searchParams.set('start', String(start))
  link.href = address.href
  link.click()
  link.href = href
})

function offer(): void {
  const selected = selectedWords()
  const range = selected && getSelection()?.getRangeAt(0)
  if (range === undefined) {
    // A click on the button may collapse the selection before it counts.
    if (document.activeElement !== button) button.remove()
    return
  }
  const { bottom, left } = range.getBoundingClientRect()
  button.style.top = `${bottom + scrollY + 4}px`
  button.style.left = `${left + scrollX}px`
  // After the text, so that Tab leads to it from there.
  if (!button.isConnected) document.querySelector('article')?.append(button)
}
document.addEventListener('selectionchange', offer)
// Words may have been selected before this was loaded.
offer()

/** @returns undefined if the selection reaches beyond the text of one block, has no words, or may not be commented */
function selectedWords(): SelectedWords | undefined {
  const selection = getSelection()
  if (selection === null || selection.isCollapsed) return undefined
  const range = selection.getRangeAt(0)
  const block = blockOf(range.startContainer)
  if (block === null || block !== blockOf(range.endContainer)) return undefined
  // The text of a table or of code is in parts, or in no Markdown.
  if (block.querySelector(':scope > :is(table, pre, .wide)') !== null) return undefined
  const link = [...block.querySelectorAll<HTMLAnchorElement>(FORM)].find((one) => one.closest(BLOCK) === block)
  const text = textOf(range)
  const words = text.trim()
  if (link === undefined || words === '') return undefined
  const before = document.createRange()
  before.setStart(block, 0)
  before.setEnd(range.startContainer, range.startOffset)
  return { link, words, start: textOf(before).length + text.indexOf(words) }
}

/** The block in whose text a place is. */
function blockOf(node: Node): Element | null {
  const element = node instanceof Element ? node : node.parentElement
  return element === null || element.closest(AROUND) !== null ? null : element.closest(BLOCK)
}

/** The visible text of a part, without what stands around it. */
function textOf(range: Range): string {
  const part = range.cloneContents()
  for (const one of part.querySelectorAll(AROUND)) one.remove()
  return part.textContent ?? ''
}
