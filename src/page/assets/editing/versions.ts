/** Two versions of a block, where both sides changed it: shown one below the other until the person has chosen. */
import type { Title } from '../../../markdown/inline-title.ts'
import { newName } from '../calls.ts'
import { blockElement, blockId, fieldsOf, markdownOf } from './blocks/block-element.ts'
import { type Fields, wordsIn } from './blocks/block-text.ts'
import { tableElement } from './blocks/other-elements.ts'
import { allWords, type KeptWords } from './changes/kept-words.ts'
import type { TextEditor } from './text/text-editor.ts'

/** @param refresh  reads a block again */
export function showVersions(editor: TextEditor, kept: KeptWords, refresh: (id: string) => void): void {
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
  // Pages of a document keep what waits together.
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
  const shown = [heading, made('blockquote', 'mine', shownWords(kept.fields, allWords(kept)))]
  // With the caret in it the block shows what was typed, and otherwise what the others wrote: here stands the other one.
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
  /** As it is after further typing. */
  const written = () => allWords(writer.store.get('conflict', id) ?? kept)
  const addMine = () => {
    const target = blockElement(id)
    const position = target
      ? { position: 'after', siblingId: blockId(target) }
      : { position: isOwnTitle ? 'start' : 'end', pageId: writer.page.pageId }
    writer.write({ tool: 'blocks_add', arguments: { markdown: written(), position }, name: newName() })
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
      // What others wrote has come to the page meanwhile, in another element.
      const now = blockElement(id) ?? element
      const indentationLevel = fieldsOf(now).indentationLevel ?? 0
      const change = { id, markdown: written(), expectedMarkdown: theirsOf(now), indentationLevel }
      writer.write({ tool: 'blocks_update', arguments: { blocks: [change], answer: 'full' } })
    })
    button('Keep theirs', () => {})
    button('Keep both', addMine)
  } else {
    button(isTitle ? 'Add it as a block' : isGone ? 'Put it back' : 'Try again', addMine)
    button('Let it go', () => {})
  }
  box.append(...shown, acts)
  const title = article.querySelector(':scope > h1')
  if (isOwnTitle && title !== null) title.after(box)
  else if (element === undefined) article.prepend(box)
  else element.append(box)
}

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

/** Markdown as it was written; of a table, its cells. */
function shownWords(fields: Fields, words: string): (HTMLElement | string)[] {
  // No table has a blank line in it: what was kept before is another one.
  return fields.type === 'table' ? words.split('\n\n').map((one) => tableElement(wordsIn(one, fields))) : [words]
}

/** On one line. */
const plainTitle = (words: string): Title => ({ value: words.replace(/\s+/g, ' '), attributes: [] })

/** What the server had when the versions were last compared. */
const theirsOf = (element: HTMLElement): string => element.dataset.theirs ?? markdownOf(element)
