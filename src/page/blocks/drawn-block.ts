/** Suggestions as the editor draws them over its text. */

export interface DrawnForEditor {
  /** The number of all suggestions of the document. */
  count: number
  /** What stands above the text. Empty if there is nothing. */
  above: string
  /** What stands before the first block. */
  start: string
  blocks: DrawnBlock[]
}

/** What is suggested for a block. */
export interface DrawnBlock {
  id: string
  /** Classes of its element. */
  look: string
  /** Its inline Markdown and the words that change in it, if any do; and what stands below it where they are drawn in it. */
  words?: { text: string; tone: number; runs: DrawnRun[]; below: string }
  /** What stands below it where nothing is drawn in it. */
  below: string
}

/** Words that stay, that are struck, or that are inserted: with their length in positions of the editor. */
export interface DrawnRun {
  sign: ' ' | '-' | '+'
  size: number
  /** Of words that are inserted. */
  html?: string
}
