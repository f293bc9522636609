/** How the server identifies itself to clients: the protocol's `Implementation`. */
/**
 * The icon of `assets/icon.svg` with fewer points, as a data URL, since there is no site to load it from. Short,
 * because every result in the 2026 protocol repeats it.
 */
const ICON = [
  "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 16 16'>",
  "<rect width='16' height='16' rx='3.5' fill='#0f5f4c'/>",
  "<path d='M4 2.5h5.5l3 3v8H4z' fill='#fbf8f0'/>",
  "<path d='M5.5 5.5h2m-2 2h5m-5 2h3' stroke='#0f5f4c'/>",
  "<path d='M5.5 11.8q1-1.4 2 0t3 0' fill='none' stroke='#e0912f'/>",
  '</svg>',
].join('')

/** The same text as in package.json. */
const DESCRIPTION =
  'A workspace of documents that AI agents and people share: one SQLite file, served over the Model Context Protocol and REST.'

export const serverInfo = (version: string) => ({
  name: 'scriptorium',
  title: 'Scriptorium',
  version,
  description: DESCRIPTION,
  icons: [{ src: `data:image/svg+xml,${encodeURIComponent(ICON)}`, mimeType: 'image/svg+xml', sizes: ['any'] }],
})
