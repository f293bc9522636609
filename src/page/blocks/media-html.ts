/** Images, videos, files, drawings, link cards and subpages. Nothing is loaded from other servers. */
import { plainTitle } from '../../markdown/inline-title.ts'
import type { JsonBlock } from '../../space/model/json-block.ts'
import { type Html, html } from '../html.ts'
import { type PageLinks, SHOW_PDF } from '../page-links.ts'
import { text } from '../texts/text.ts'
import type { BlockContext } from './block-context.ts'
import { linkHtml } from './inline-content-html.ts'

type MediaContext = Pick<BlockContext, 'links' | 'formats' | 'showsFiles'>

/** Blocks that show a file, a whiteboard or another address. */
export type MediaType = 'whiteboard' | 'image' | 'drawing' | 'video' | 'file' | 'richUrl'

const MEDIA: Readonly<Record<MediaType, (block: JsonBlock, context: MediaContext) => Html>> = {
  whiteboard: ({ id }, { links }) => boardHtml(id, links),
  image: pictureHtml,
  drawing: pictureHtml,
  video({ url = '', altText = '', fileName = '' }, { links }) {
    const file = links.file(url, fileName)
    if (file === undefined) return elsewhereHtml(url, altText || text('Film'), links)
    return html`<figure><video src="${file}" controls preload="metadata" aria-label="${altText || text('Film')}"></video>${altText !== '' && html`<figcaption>${altText}</figcaption>`}</figure>`
  },
  file({ url = '', fileName = '', mimeType = '', fileSize }, { links, formats, showsFiles }) {
    const file = links.file(url, fileName)
    if (file === undefined) return elsewhereHtml(url, fileName || text('File'), links)
    const size = fileSize === undefined ? '' : formats.bytes(fileSize)
    const about = [mimeType, size].filter((one) => one !== '').join(', ')
    const sound =
      mimeType.startsWith('audio/') &&
      html`<audio src="${file}" controls preload="none" aria-label="${fileName || text('Sound')}"></audio>`
    // Nothing is read before somebody asks for it. See large-pdf.ts.
    const shown =
      showsFiles &&
      mimeType === 'application/pdf' &&
      html`<p><a class="button" href="${file}?${SHOW_PDF}" target="_blank" rel="noopener" data-script data-pdf="${fileName}">Show</a></p>`
    return html`${sound}<a class="link-card" href="${file}"${isSaved(mimeType) && html` download="${fileName}"`}><b>${fileName || text('File')}</b>${about !== '' && html`<small>${about}</small>`}</a>${shown}`
  },
  richUrl: (block, { links }) => urlCardHtml(block, links),
}

/** What a browser shows could run code: it is saved, and opened where it is at home. A PDF is shown on request. */
const isSaved = (mimeType: string): boolean => !/^(?:image\/(?!svg)|video\/|audio\/|text\/plain$)/.test(mimeType)

export const mediaHtml = (type: MediaType, block: JsonBlock, context: MediaContext): Html => MEDIA[type](block, context)

function pictureHtml({ url = '', altText = '', fileName = '', width }: JsonBlock, { links }: MediaContext): Html {
  const file = links.file(url, fileName)
  if (file === undefined) return elsewhereHtml(url, altText || text('Picture'), links)
  return html`<figure class="${width === 'fullWidth' ? 'full' : ''}"><a href="${file}"><img src="${file}" alt="${altText || fileName || text('Picture')}" loading="lazy"></a>${altText !== '' && html`<figcaption>${altText}</figcaption>`}</figure>`
}

/** A whiteboard as an image that links to its own page. */
const boardHtml = (id: string, { base }: PageLinks): Html =>
  html`<figure class="board"><a href="${base}/whiteboards/${id}"><img src="${base}/whiteboards/${id}/picture.svg" alt="Whiteboard; open it to read what is on it" loading="lazy"></a></figure>`

/** Content on another server is shown as a link. */
const elsewhereHtml = (url: string, label: string, links: PageLinks): Html =>
  html`<p class="elsewhere">${linkHtml(url, html`${label}`, links)} <small>${links.of(url) === undefined ? text('cannot be shown') : text('on {hostOf}, not loaded', { hostOf: hostOf(url) })}</small></p>`

function urlCardHtml({ url = '', title, description }: JsonBlock, links: PageLinks): Html {
  const label = typeof title === 'string' && title !== '' ? title : url
  const link = links.of(url)
  const content = html`<b>${label}</b>${description !== undefined && html`<span>${description}</span>`}<small>${hostOf(url)}</small>`
  if (link === undefined) return html`<div class="link-card">${content}</div>`
  if (link.isOwn) return html`<a class="link-card" href="${link.href}">${content}</a>`
  return html`<a class="link-card" href="${link.href}" rel="noopener noreferrer" target="_blank">${content}</a>`
}

/** A subpage: its title and the beginning of its text, without links. */
export function pageCardHtml(block: JsonBlock, title: string, links: PageLinks): Html {
  const preview = previewText(block.contentPreviewMd ?? '')
  const isCard = block.textStyle === 'card'
  return html`<a class="page-card${isCard && ' card'}" href="${links.block(block.id)}"><b>${title}</b>${preview !== '' && html`<span>${preview}</span>`}</a>`
}

/** The first lines of a page without marks. */
function previewText(markdown: string): string {
  const text = markdown
    .split('\n')
    .map((line) => plainTitle(line.replace(/^\s*(?:[-+*>]|#{1,4}|\d+\.)\s+(?:\[[ x-]\]\s+)?/, '')))
  return text.filter((line) => line !== '').join(' · ')
}

const hostOf = (url: string): string => (URL.canParse(url) ? new URL(url).hostname || url : url)
