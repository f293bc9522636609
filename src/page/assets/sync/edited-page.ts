/** The page that is edited, as the server has rendered it. */
import type { Title, TitleAttribute } from '../../../markdown/inline-title.ts'

export interface EditedPage {
  article: HTMLElement
  /** The document by which calls are ordered. */
  documentId: string
  /** The document, or the page within it, whose blocks are shown. */
  pageId: string
  /** The base address of the space's pages. */
  base: string
  /** The ID of the space. */
  spaceId: string
  /** Identifies this browser in the history. */
  connection: string
  /** The point in time at which the server read the page. */
  openedAt: string
  /** The number of the person's color, where what they type is only suggested. */
  suggestTone?: number
}

export function findEditedPage(): EditedPage | undefined {
  const article = document.querySelector<HTMLElement>('article[data-page]')
  if (article === null) return undefined
  const {
    document: documentId = '',
    page: pageId = '',
    space: spaceId = '',
    connection = '',
    read = '',
    suggestTone,
  } = article.dataset
  const { base = '' } = document.body.dataset
  return {
    article,
    documentId,
    pageId,
    base,
    spaceId,
    connection,
    openedAt: read,
    ...(suggestTone && { suggestTone: Number(suggestTone) }),
  }
}

/** The title that the server had last. @returns undefined if it cannot be changed, as that of a daily note */
export function titleOfPage({ article }: EditedPage): Title | undefined {
  const { title: value, titleAttributes = '[]' } = article.dataset
  return value === undefined ? undefined : { value, attributes: JSON.parse(titleAttributes) as TitleAttribute[] }
}

export function setTitleOfPage({ article }: EditedPage, { value, attributes }: Title): void {
  Object.assign(article.dataset, { title: value, titleAttributes: JSON.stringify(attributes) })
}
