/** Shows what sessions have left in this browser and did not send, with buttons to copy and to delete it. */
import { copyText } from '../copy-text.ts'
import { inBackground } from '../page-background.ts'
import { count, text } from '../page-text.ts'
import { deleteLeftBehind, findLeftBehind, type LeftChange } from './left-behind.ts'

export interface Notice {
  /** Says what the changes are. @param count  such as `2 changes` */
  about(count: string): string
  /** True to show the changes only on request. */
  isFolded: boolean
}

/**
 * Adds a notice to a page, if there is anything to show: before the page, or below the text of one outside of the space.
 *
 * @param base  the base address of the space's pages
 * @param isWanted  selects sessions by name
 */
export async function showLeftBehind(
  base: string,
  isWanted: (session: string) => boolean,
  { about, isFolded }: Notice,
): Promise<void> {
  const left = await findLeftBehind(base, isWanted)
  const isAbove = isFolded && !document.body.classList.contains('alone')
  const place = document.querySelector(isAbove ? '#main' : '#main > .page')
  if (left.length === 0 || place === null) return
  const changes = left.flatMap((one) => one.changes)
  const section = noticeElement(changes, { about, isFolded }, async () => {
    for (const { session } of left) await deleteLeftBehind(base, session)
  })
  if (isAbove) place.prepend(section)
  else place.append(section)
}

/** A notice with changes, to copy or delete them. @param remove  deletes them */
export function noticeElement(
  changes: readonly LeftChange[],
  { about, isFolded }: Notice,
  remove: () => Promise<void>,
): HTMLElement {
  const section = element('section', 'notice left-behind')
  section.setAttribute('aria-label', text('Changes that were not sent'))
  const sentence = about(count(changes.length, { one: '1 change', other: '{n} changes' }))
  const { list, copy, status } = copiedList(changes)
  const discard = button(text('Delete'), async () => {
    await remove()
    section.remove()
  })
  discard.classList.add('danger')
  const body = [list, element('div', 'acts', copy, discard, status)]
  if (isFolded) section.append(element('details', '', element('summary', '', sentence), ...body))
  else section.append(element('p', '', sentence), ...body)
  return section
}

/** A list of changes, and a button that copies it. */
export function copiedList(changes: readonly LeftChange[]): Record<'list' | 'copy' | 'status', HTMLElement> {
  const list = element('ol', '', ...changes.map(changeElement))
  const status = element('span', '')
  status.setAttribute('role', 'status')
  const copy = button(text('Copy'), async () => {
    const isCopied = await copyText(changes.map(({ text }) => text).join('\n\n'), list)
    status.textContent = isCopied ? text('Copied.') : text('The browser did not allow copying.')
  })
  return { list, copy, status }
}

function changeElement({ text: content, file, mayHaveArrived, reason }: LeftChange): HTMLElement {
  const item = element('li', '', element('blockquote', '', content))
  if (file !== undefined) {
    const link = document.createElement('a')
    link.href = URL.createObjectURL(file)
    link.download = content
    link.textContent = text('Save the file')
    item.append(link)
  }
  if (reason !== undefined) item.append(element('small', '', reason))
  if (mayHaveArrived) item.append(element('small', '', text('No answer came, so the server may have it.')))
  return item
}

export function element(tag: string, className: string, ...content: (Node | string)[]): HTMLElement {
  const made = document.createElement(tag)
  if (className !== '') made.className = className
  made.append(...content)
  return made
}

function button(name: string, act: () => Promise<void>): HTMLButtonElement {
  const made = document.createElement('button')
  made.type = 'button'
  made.textContent = name
  made.addEventListener('click', () => inBackground(act))
  return made
}
