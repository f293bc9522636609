/** Opens and closes folders and documents of the tree. What is open is kept in a cookie until the browser is closed. */
import { cameFrom, fieldOf } from '../form-page.ts'
import { withFold } from '../page-cookies.ts'
import type { Page } from '../page-declaration.ts'

export const foldTree: Page = {
  route: 'POST /tree',
  needs: ['documents_list'],
  async handle(call) {
    const opened = fieldOf(call, 'open')
    const isOpen = opened !== ''
    return {
      redirect: cameFrom(call, '/documents'),
      setCookie: withFold(call, isOpen ? opened : fieldOf(call, 'close'), isOpen),
    }
  },
}
