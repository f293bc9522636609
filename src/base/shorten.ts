/** The number of characters of a text that an error message shows. */
const SHOWN_LENGTH = 60

/** The beginning of a text, for an error message. */
export const shorten = (text: string, length = SHOWN_LENGTH): string =>
  text.length > length ? `${text.slice(0, length)}…` : text
