/**
 * Moves documents by dragging their names to a folder of the navigation, from the navigation or from a list. It is
 * loaded when the first one is picked up: see page.js, which says which one that is.
 */
import { text } from './page-text.ts'

const { body } = document
const { base = '' } = body.dataset

/** A folder, or a place that takes documents as a folder does. */
const PLACE = /^\/(?:folders\/(\d{12})|(unsorted|templates))$/

interface Place {
  link: HTMLAnchorElement
  /** As the form for moving names it. */
  value: string
}

function placeAt(target: EventTarget | null): Place | undefined {
  const link = target instanceof Element ? target.closest<HTMLAnchorElement>('#nav a[href]') : null
  const [, folder, location] = PLACE.exec(link?.pathname.slice(base.length) ?? '') ?? []
  const value = folder ?? location
  return link === null || value === undefined ? undefined : { link, value }
}

const mark = (link?: Element) => {
  for (const one of document.querySelectorAll('#nav .drop')) if (one !== link) one.classList.remove('drop')
  link?.classList.add('drop')
}

document.addEventListener('dragover', (event) => {
  if (body.dataset.dragged === undefined) return
  const place = placeAt(event.target)
  mark(place?.link)
  if (place === undefined) return
  event.preventDefault()
  if (event.dataTransfer !== null) event.dataTransfer.dropEffect = 'move'
})

document.addEventListener('dragend', () => {
  mark()
  delete body.dataset.dragged
})

document.addEventListener('drop', (event) => {
  const { dragged } = body.dataset
  const place = placeAt(event.target)
  if (dragged === undefined || place === undefined) return
  event.preventDefault()
  mark()
  delete body.dataset.dragged
  move(dragged, place).catch(() => report(text('The server was not reached. Nothing was moved; try again.')))
})

/** The server sends the news of it, by which the navigation is loaded again. */
async function move(id: string, { link, value }: Place): Promise<void> {
  const token = document.querySelector<HTMLInputElement>('.leave [name="token"]')?.value ?? ''
  const response = await fetch(`${base}/d/${id}/move`, {
    method: 'POST',
    headers: { 'hx-request': 'true' },
    body: new URLSearchParams({ token, place: value, back: '/' }),
  })
  const refusal = response.headers.get('x-refusal')
  const isProposed = response.headers.get('x-leads-to')?.includes('notice=proposed') ?? false
  const name = link.querySelector('.name')?.textContent
  if (!response.ok) report(refusal === null ? text('It could not be moved.') : decodeURIComponent(refusal))
  else
    report(
      isProposed
        ? text('Proposed. It happens once it is approved.')
        : text('Moved to {name}.', { name: name?.trim() ?? '' }),
    )
}

function report(sentence: string): void {
  const notice = document.getElementById('moved') ?? document.createElement('p')
  Object.assign(notice, { id: 'moved', className: 'notice', textContent: sentence })
  notice.setAttribute('role', 'status')
  document.getElementById('main')?.prepend(notice)
}
