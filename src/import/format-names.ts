/**
 * Names of the formats that can be imported. In its own module so that the command line does not load the import code.
 */
export const IMPORT_FORMATS = [
  'markdown',
  'obsidian',
  'notion',
  'logseq',
  'joplin',
  'roam',
  'keep',
  'standardnotes',
  'craft',
  'enex',
  'textbundle',
  'conversations',
  'csv',
  'docx',
  'opml',
] as const
export type ImportFormatName = (typeof IMPORT_FORMATS)[number]
