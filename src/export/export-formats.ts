/** Names of the export formats. In its own module so that the command line does not load the export code. */
export const EXPORT_FORMATS = ['markdown', 'obsidian', 'json'] as const
export type ExportFormatName = (typeof EXPORT_FORMATS)[number]
