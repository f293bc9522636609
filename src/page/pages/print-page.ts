/** A whole document to print: with its pages and pictures, on one page that asks the browser to print it. */
import { EXPORT_HTML_BYTES } from '../../base/limits.ts'
import { shownTitle } from '../../markdown/shown-title.ts'
import { titleText } from '../blocks/block-writer.ts'
import type { Page } from '../page-declaration.ts'
import { PAGE_HEADERS } from '../page-response.ts'
import { scriptPath } from '../scripts.ts'
import { writeHtml } from '../transfers/export-html.ts'
import { transfersOf } from './import-pages.ts'

/** Loads nothing but the script that prints. Pictures are in the page. */
const POLICY =
  "default-src 'none'; style-src 'unsafe-inline'; img-src data:; script-src 'self'; form-action 'none'; base-uri 'none'; frame-ancestors 'none'"

export const printPage: Page = {
  route: 'GET /d/:id/print',
  async handle(call) {
    const root = await call.run('blocks_get', { id: call.params.id ?? '', maxDepth: 0 })
    const title = shownTitle(titleText(root))
    const script = await scriptPath(call.request.root, 'print')
    const file = { name: 'print.html', type: 'text/html; charset=utf-8' }
    const stored = await transfersOf(call).exportFile(
      file,
      (put) => writeHtml(call, { documents: [root.id] }, title, put, script),
      EXPORT_HTML_BYTES,
    )
    return new Response(stored.body, {
      headers: {
        ...PAGE_HEADERS,
        'Content-Type': file.type,
        'Content-Length': stored.headers.get('content-length') ?? '',
        'Content-Security-Policy': POLICY,
      },
    })
  },
}
