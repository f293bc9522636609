/** Resolves once htmx is there, or cannot be loaded: see load-htmx.js. */
declare function htmxReady(): Promise<void>
/** A text in the language of the page: see page-words.js. */
declare function pageText(english: string, values?: Record<string, string | number>): string
