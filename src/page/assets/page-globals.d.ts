/** Resolves once htmx is there, or cannot be loaded: see load-htmx.js. */
declare function htmxReady(): Promise<void>
