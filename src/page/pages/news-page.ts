/** The parts of the layout that change with the space, for the script that follows the feed. */
import { frameNews } from '../frame/layout.ts'
import type { Page } from '../page-declaration.ts'

export const newsPage: Page = {
  route: 'GET /news',
  async handle(call) {
    const field = (name: string) => call.query.get(name) ?? undefined
    const [current, folderId, documentId, nestedId] = ['current', 'folder', 'document', 'page'].map(field)
    const fragment = await frameNews(call, {
      folderId,
      ...(current !== undefined && { current }),
      ...(documentId !== undefined && { documentId }),
      ...(nestedId !== undefined && { nestedId }),
      ...(field('calls') === 'yes' && { showsCalls: true }),
      ...(field('waiting') === 'yes' && { showsWaiting: true }),
    })
    return { fragment }
  },
}
