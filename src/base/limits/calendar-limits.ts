/** Calendars: those that links give, and those of others that are shown on the pages. */

/** Tasks, reminders and dates of items in the calendar of a link: the most of each. */
export const CALENDAR_ENTRIES = 5_000
/** Characters of a title in a calendar. */
export const CALENDAR_TITLE_LENGTH = 500
/** Calendars of others that one person is subscribed to, and characters of the address and of the name of one. */
export const CALENDARS_PER_PERSON = 20
export const CALENDAR_URL_LENGTH = 2_000
export const CALENDAR_NAME_LENGTH = 100
/** Bytes of somebody's calendar, seconds that it may take to arrive, and redirects that are followed. */
export const CALENDAR_BYTES = 5 * 1024 * 1024
export const CALENDAR_FETCH_SECONDS = 15
export const CALENDAR_REDIRECTS = 5
/** Minutes after which it is read again once it is shown: after it could be read, and after it could not. */
export const CALENDAR_REFRESH_MINUTES = 60
export const CALENDAR_RETRY_MINUTES = 15
/** Seconds between two times that it is read again because its reader asks for it. */
export const CALENDAR_AGAIN_SECONDS = 60
/** Events that are kept of it, characters of a line of one, and seconds that a thread may work on it. */
export const CALENDAR_EVENTS = 20_000
export const CALENDAR_LINE_LENGTH = 100_000
export const CALENDAR_SECONDS = 4
/** Megabytes of the memory of that thread. */
export const CALENDAR_MEMORY_MEGABYTES = 256
/** Repeats that are computed to show some days of it, and events of it that are shown on these days. */
export const CALENDAR_REPEATS = 100_000
export const CALENDAR_EVENTS_SHOWN = 1_000
