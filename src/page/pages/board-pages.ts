/** Whiteboards: the drawing, with zoom and panning, and its description in words. */
import { createHash } from 'node:crypto'
import { drawBoard } from '../documents/board-picture.ts'
import { pageCrumbs } from '../documents/document-bar.ts'
import { barHtml } from '../frame/bar.ts'
import { type Html, html } from '../html.ts'
import type { PageCall } from '../page-call.ts'
import type { Page } from '../page-declaration.ts'
import { text } from '../texts/text.ts'

export const boardPage: Page = {
  route: 'GET /whiteboards/:id',
  async handle(call) {
    const id = call.params.id ?? ''
    const board = await call.run('blocks_get', {
      id,
      maxDepth: 0,
      fetchMetadata: true,
    })
    if (board.type !== 'whiteboard') return { redirect: `/d/${id}` }
    const crumbs = board.pageBlockPath ?? []
    const reading = readingOf(await call.readMarkdown('blocks_get', { id, maxDepth: 0 }))
    const picture = call.href(`/whiteboards/${id}/picture.svg`)
    const title = crumbs.at(-1)?.content || text('Whiteboard')
    const isEditable =
      (['elements_add', 'elements_update'] as const).every((tool) => call.has(tool)) && call.may('change')
    const zoom = html`<span class="js" data-zoom><button data-by="1.25">Larger</button> <button data-by="0.8">Smaller</button> <button data-by="0">Fit</button></span>`
    const download = html`<a class="button plain" href="${call.href(`/whiteboards/${id}/drawing.excalidraw`)}" download>Download .excalidraw</a>`
    const main = html`${barHtml(pageCrumbs(call, crumbs), html`${download} ${zoom}`)}
<h1 class="hidden">Whiteboard in ${title}</h1>
${isEditable && toolsHtml(call)}
<div class="canvas" id="board" tabindex="0" role="group" aria-label="Whiteboard; the arrow keys move it"${isEditable && html` data-whiteboard="${id}" data-picture="${picture}"`}>${
      isEditable ? html`<div id="drawing">${pictureHtml(picture)}</div>` : pictureHtml(picture)
    }</div>
${reading !== '' && html`<details class="reading"><summary>In words</summary><pre tabindex="0">${reading}</pre></details>`}`
    const documentId = crumbs[0]?.id
    return {
      title: text('Whiteboard in {title}', { title }),
      main,
      isWide: true,
      styles: ['whiteboard.css'],
      ...(documentId !== undefined && { documentId }),
      // The script of an editable whiteboard controls its size.
      ...(isEditable
        ? { scripts: ['whiteboard'] as const, showsDataImages: true as const }
        : { scripts: ['zoom'] as const }),
    }
  },
}

const pictureHtml = (picture: string): Html =>
  html`<a href="${picture}"><img src="${picture}" alt="Whiteboard; its words stand below" draggable="false" id="board-picture"></a>`

const SHAPES = ['rectangle', 'ellipse', 'diamond', 'arrow', 'text'] as const

/** The tools for drawing, for the script. Without them the board is a picture. */
const toolsHtml = (call: PageCall): Html =>
  html`<div class="tools js" id="tools" role="toolbar" aria-label="Draw">${SHAPES.map(
    (shape) =>
      html`<button data-tool="${shape}" aria-pressed="false">${shape.charAt(0).toUpperCase()}${shape.slice(1)}</button>`,
  )}<button data-act="write" disabled>Edit words</button>${
    call.has('elements_delete') && call.may('delete') && html`<button data-act="delete" disabled>Delete</button>`
  }<label class="button">Add from .excalidraw <input type="file" id="import" accept=".excalidraw,application/json"></label><p id="board-status" role="status"></p></div>`

/** The content between the tags: the description of the board. */
const readingOf = (markdown: string): string =>
  (/^<whiteboard[^>]*>\n([\s\S]*)\n<\/whiteboard>\s*$/.exec(markdown)?.[1] ?? '')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&')

export const boardPicture: Page = {
  route: 'GET /whiteboards/:id/picture.svg',
  async handle(call) {
    const board = await call.run('elements_list', { whiteboardBlockId: call.params.id ?? '' })
    const etag = `"${createHash('sha256').update(JSON.stringify(board)).digest('base64url')}"`
    const headers = {
      'Content-Type': 'image/svg+xml; charset=utf-8',
      // Opened on its own it is a document, which must not run or load anything.
      'Content-Security-Policy': "default-src 'none'; img-src data:; style-src 'unsafe-inline'; sandbox",
      'Cache-Control': 'private, no-cache',
      'Cross-Origin-Resource-Policy': 'same-origin',
      ETag: etag,
    }
    const known = call.request.request.headers.get('if-none-match') ?? ''
    // Compressed, it has a weak one.
    if (known.replace(/^W\//, '') === etag) return new Response(null, { status: 304, headers })
    const svg = await drawBoard(board, call.request.caller.space.info.fontFolder)
    return svg === undefined ? new Response(null, { status: 503 }) : new Response(svg, { headers })
  },
}

/** The whiteboard as a file for Excalidraw. */
export const boardFile: Page = {
  route: 'GET /whiteboards/:id/drawing.excalidraw',
  async handle(call) {
    const {
      elements,
      assets = {},
      appState = {},
    } = await call.run('elements_list', {
      whiteboardBlockId: call.params.id ?? '',
    })
    const drawing = { type: 'excalidraw', version: 2, source: call.request.origin, elements, appState, files: assets }
    return new Response(JSON.stringify(drawing, null, 2), {
      headers: {
        'Content-Type': 'application/vnd.excalidraw+json',
        'Content-Disposition': 'attachment; filename="drawing.excalidraw"',
        'X-Content-Type-Options': 'nosniff',
        'Cache-Control': 'private, no-cache',
        'Cross-Origin-Resource-Policy': 'same-origin',
      },
    })
  },
}
