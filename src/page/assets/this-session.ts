/** The session of this page. It stays the same while the page is open, even if the person signs out in another tab. */
import { randomHex, sessionName } from './session-name.ts'

const TAB_BYTES = 8
const { base = '', owner = '' } = document.body.dataset

export const session: string = sessionName(base, owner)

/** Names this page among those that the browser shows at the same time. Loading it again makes it another one. */
export const tab: string = randomHex(TAB_BYTES)
