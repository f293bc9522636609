/** The session of this page. It stays the same while the page is open, even if the person signs out in another tab. */
import { sessionName } from './session-name.ts'

const { base = '', owner = '' } = document.body.dataset

export const session: string = sessionName(base, owner)
