/** The blocks of a page in the HTML of the server. */
import type { PageBlock } from '../model/page-block.ts'

/** The elements of the blocks of a page, in order. */
export const blockElements = (article: HTMLElement): HTMLElement[] => [
  ...article.querySelectorAll<HTMLElement>('.part > .block'),
]

/** The block of an element that the server has rendered for an edited page. */
export function blockOfElement({ id, dataset }: HTMLElement): PageBlock {
  const { fields = '{"type":"text"}', markdown = '' } = dataset
  return { id: id.slice(1), fields: JSON.parse(fields), markdown }
}

/** The element of a block, from the answer to a read. Nothing in it runs or loads before it is on the page. */
export function elementOfHtml(html: string): HTMLElement {
  const template = document.createElement('template')
  template.innerHTML = html
  return template.content.firstElementChild as HTMLElement
}
