declare module '@joplin/turndown-plugin-gfm' {
  import type { Plugin } from 'turndown'
  /** Tables, strikethrough and task lists. */
  export const gfm: Plugin
}
