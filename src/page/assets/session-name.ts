/**
 * The name under which a browser stores what a session wrote and did not send yet: queued calls, drafts and conflicts.
 * Nothing else is ever sent with a session, so that no text is sent as somebody else.
 *
 * It consists of the owner, which the server knows and which is the same for all sessions of a link, and of a random
 * part, which lasts until the person signs out.
 */
const RANDOM_BYTES = 8

/** The key under which the random part is stored. page.js deletes it when the person signs out. */
const keyOf = (base: string, owner: string): string => `scriptorium ${base} session ${owner}`

/**
 * @param base  the base address of the space's pages
 * @param owner  see `sessionOwner`
 */
export function sessionName(base: string, owner: string): string {
  const key = keyOf(base, owner)
  const random = localStorage.getItem(key) ?? randomHex(RANDOM_BYTES)
  localStorage.setItem(key, random)
  return `${owner}-${random}`
}

/** The name of the database of a session's calls. */
export const databaseName = (base: string, session: string): string => `scriptorium ${base} ${session}`

/** The start of the keys of a session's drafts and conflicts in localStorage. */
export const textPrefix = (base: string, session: string): string => `scriptorium ${base} ${session} `

/** Matches names of sessions. */
export const SESSION_NAME = /^[0-9a-f]{16}-[0-9a-f]{16}$/

/** `crypto.randomUUID` is only available in secure contexts. */
export const randomHex = (bytes: number): string =>
  [...crypto.getRandomValues(new Uint8Array(bytes))].map((byte) => byte.toString(16).padStart(2, '0')).join('')
