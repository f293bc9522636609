/** What stands in place of a title that shows nothing. */
export const UNTITLED = 'Untitled'

/** A title as people see it, in plain text: one that shows nothing has a name, too. */
export const shownTitle = (title: string | undefined): string =>
  title === undefined || title.trim() === '' ? UNTITLED : title
