/** The formats that a space can be exported in, for the command line, which loads nothing else of exports until one begins. */
export const EXPORT_FORMATS = ['markdown', 'obsidian', 'json'] as const
export type ExportFormatName = (typeof EXPORT_FORMATS)[number]
