/** The formats that can be imported, for the command line, which loads nothing else of imports until one begins. */
export const IMPORT_FORMATS = [
  'markdown',
  'obsidian',
  'notion',
  'craft',
  'enex',
  'textbundle',
  'conversations',
] as const
export type ImportFormatName = (typeof IMPORT_FORMATS)[number]
