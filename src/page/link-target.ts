/** What a text can link to, as the menu of the editor offers it. */
export interface LinkTarget {
  /** The address in Markdown, such as `block://12` or `date://2026-11-28`. */
  url: string
  /** The plain text of the link. */
  title: string
  /** Where it leads; empty for a document. */
  about: string
  /** Of a member: what is typed behind `@` in a comment. */
  handle?: string
}
