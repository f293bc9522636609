/** The parts of the layout that change with the space, for the script that follows the feed. */
import { frameNews } from '../frame/layout.ts'
import { knownParts } from '../frame/live-parts.ts'
import { html } from '../html.ts'
import type { Page } from '../page-declaration.ts'
import { nowNews } from './now-pages.ts'

export const newsPage: Page = {
  route: 'GET /news',
  async handle(call) {
    const field = (name: string) => call.query.get(name) ?? undefined
    const [current, folderId, documentId, nestedId] = ['current', 'folder', 'document', 'page'].map(field)
    const page = {
      folderId,
      ...(current !== undefined && { current }),
      ...(documentId !== undefined && { documentId }),
      ...(nestedId !== undefined && { nestedId }),
      ...(field('calls') === 'yes' && { showsCalls: true as const }),
      ...(field('waiting') === 'yes' && { showsWaiting: true as const }),
    }
    const known = knownParts(call.query.get('had'))
    const frame = await frameNews(call, page, known)
    return { fragment: known?.has('feed') ? html`${frame}${await nowNews(call, known)}` : frame }
  },
}
