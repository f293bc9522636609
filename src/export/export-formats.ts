/** Names of the export formats. In its own module so that the command line does not load the export code. */
export const EXPORT_FORMATS = ['markdown', 'obsidian', 'json'] as const
/** How links in Markdown are written. */
export const LINK_STYLES = ['relative', 'wiki'] as const
export type LinkStyle = (typeof LINK_STYLES)[number]

export type ExportFormatName = (typeof EXPORT_FORMATS)[number]
