/** Shows two versions of a block that both sides changed, one below the other, until the person chooses. */
import type { Title } from '../../../markdown/inline-title.ts'
import { newName } from '../calls.ts'
import { placeOf } from '../model/block-levels.ts'
import { editableText, type Fields } from '../model/block-text.ts'
import { plainStyle } from '../model/page-step.ts'
import { fullText, type UnsavedText } from '../sync/unsaved-text.ts'
import { blockElement, blockId, fieldsOf, markdownOf } from './blocks/block-element.ts'
import { tableElement } from './blocks/other-elements.ts'
import type { TextEditor } from './text/text-editor.ts'

/** @param refresh  reads a block again */
export function showVersions(editor: TextEditor, kept: UnsavedText, refresh: (id: string) => void): void {
  const { writer } = editor
  const { article } = writer.page
  const { blockId: id, reason } = kept
  const element = blockElement(id)
  hideVersions(id)
  const box = document.createElement('section')
  box.className = 'versions notice'
  box.id = `versions-${id}`
  box.setAttribute('aria-label', 'Two versions')
  const isGone = element === undefined && (reason === undefined || reason === '')
  const isTitle = kept.attributes !== undefined
  // All pages of a document share the stored conflicts.
  const isOwnTitle = isTitle && id === writer.page.pageId
  const heading = document.createElement('p')
  const why = reason
    ? `This could not be saved: ${reason}`
    : isTitle
      ? `Others changed the title${isOwnTitle ? '' : ' of another page'} while you did.`
      : isGone
        ? 'The block that you changed was deleted by others.'
        : 'Others changed this block while you did.'
  heading.append(`${why} `, made('span', 'mine', ['What you wrote:']))
  const shown = [heading, made('blockquote', 'mine', shownWords(kept.fields, fullText(kept)))]
  // A block with the caret shows the typed text; otherwise it shows the other side's version. The other one is shown
  // here.
  const theirs = element !== undefined && element === editor.element ? element.dataset.theirs : undefined
  if (theirs !== undefined) {
    box.classList.toggle('other', kept.earlier === undefined)
    heading.append(made('span', 'theirs', ['What they wrote:']))
    shown.push(made('blockquote', 'theirs', shownWords(kept.fields, theirs)))
  }
  const acts = document.createElement('div')
  acts.className = 'acts'
  const button = (name: string, act: () => void) => {
    const choice = document.createElement('button')
    choice.type = 'button'
    choice.textContent = name
    choice.addEventListener('click', () => {
      if (editor.element !== undefined && blockId(editor.element) === id) editor.close()
      act()
      writer.store.remove('conflict', id)
      writer.store.remove('draft', id)
      box.remove()
      refresh(id)
    })
    acts.append(choice)
  }
  /** Includes text that was typed later. */
  const written = () => fullText(writer.store.conflict(id) ?? kept)
  const addMine = () => {
    const target = blockElement(id)
    const position = target
      ? { position: 'after', siblingId: blockId(target) }
      : { position: isOwnTitle ? 'start' : 'end', pageId: writer.page.pageId }
    writer.write({ tool: 'blocks_add', arguments: { markdown: written(), position }, added: [newName()] })
  }
  if (isOwnTitle && !reason) {
    button('Keep mine', () => {
      const { words, earlier, attributes = [] } = kept
      const title = earlier === undefined ? { value: words, attributes: [...attributes] } : plainTitle(written())
      writer.changeTitle(title, article.dataset.title ?? '')
    })
    button('Keep theirs', () => {})
  } else if (element !== undefined && !reason) {
    button('Keep mine', () => {
      // The block may be a different element by now, which shows the other side's version.
      const now = blockElement(id) ?? element
      const markdown = written()
      const style = PREFIX.test(markdown) ? {} : plainStyle(kept.fields)
      const change = { id, markdown, expectedMarkdown: theirsOf(now), ...placeOf(fieldsOf(now)), ...style }
      writer.write({ tool: 'blocks_update', arguments: { blocks: [change], answer: 'full' } })
    })
    button('Keep theirs', () => {})
    button('Keep both', addMine)
  } else {
    button(isTitle ? 'Add it as a block' : isGone ? 'Put it back' : 'Try again', addMine)
    button('Discard', () => {})
  }
  box.append(...shown, acts)
  const title = article.querySelector(':scope > h1')
  if (isOwnTitle && title !== null) title.after(box)
  else if (element === undefined) article.prepend(box)
  else element.append(box)
}

/** What may stand before the words of a block that is not plain. */
const PREFIX = /^\s*(?:[-+*>] |#{1,4} |\d{1,9}[.)] |<)/

export const hideVersions = (id: string): void => document.getElementById(`versions-${id}`)?.remove()

function made(
  tag: 'span' | 'blockquote',
  className: 'mine' | 'theirs',
  content: (HTMLElement | string)[],
): HTMLElement {
  const element = document.createElement(tag)
  element.className = className
  element.append(...content)
  return element
}

/** Shows Markdown verbatim, and tables as tables. */
function shownWords(fields: Fields, words: string): (HTMLElement | string)[] {
  // A table contains no blank line, so a blank line separates it from the text of an earlier conflict.
  return fields.type === 'table' ? words.split('\n\n').map((one) => tableElement(editableText(one, fields))) : [words]
}

/** On one line, without marks. */
const plainTitle = (words: string): Title => ({ value: words.replace(/\s+/g, ' '), attributes: [] })

/** The server's version when the two versions were last compared. */
const theirsOf = (element: HTMLElement): string => element.dataset.theirs ?? markdownOf(element)
