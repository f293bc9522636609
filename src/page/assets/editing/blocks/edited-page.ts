/** The page that is edited: its elements, and how it speaks to who edits it. */
export interface EditedPage {
  article: HTMLElement
  /** Whose calls stand in one order. */
  documentId: string
  /** The document, or the page in it, whose blocks stand here. */
  pageId: string
  /** The address of the pages of the space. */
  base: string
  /** Names this browser in the history. */
  connection: string
}

export function findEditedPage(): EditedPage | undefined {
  const article = document.querySelector<HTMLElement>('article[data-page]')
  if (article === null) return undefined
  const { document: documentId = '', page: pageId = '', connection = '' } = article.dataset
  return { article, documentId, pageId, base: document.body.dataset.base ?? '', connection }
}

const region = document.createElement('p')
region.className = 'announcement'
region.setAttribute('role', 'status')

/** Says something in a line at the edge of the window, for some seconds. */
export function say(text: string): void {
  if (!region.isConnected) document.body.append(region)
  region.textContent = text
  clearTimeout(timer)
  timer = setTimeout(() => {
    region.textContent = ''
  }, SHOWN_MS)
}

const SHOWN_MS = 6_000
let timer: ReturnType<typeof setTimeout> | undefined
