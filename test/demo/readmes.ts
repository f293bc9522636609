/** The README files of all packages in `node_modules`: real Markdown, written without this project in mind. */
import { readdirSync, readFileSync } from 'node:fs'
import { join, relative, sep } from 'node:path'

export interface Readme {
  /** The package, and the folder of the file if it is not at the top: `zod`, `node-addon-api/tools`. */
  title: string
  /** The folder for it: its scope, or the first letter of its name. */
  folder: string
  markdown: string
}

/** Non-empty READMEs by title, including those of nested packages. */
export function findReadmes(modules: string): Readme[] {
  return readdirSync(modules, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /^readme\.(md|markdown)$/i.test(entry.name))
    .map((entry) => describe(modules, entry.parentPath, entry.name))
    .filter(({ markdown }) => markdown.trim() !== '')
    .sort((one, other) => (one.title < other.title ? -1 : 1))
}

function describe(modules: string, folder: string, file: string): Readme {
  // A nested package: `a/node_modules/b` is "a > b".
  const title = relative(modules, folder).split(sep).join('/').replaceAll('/node_modules/', ' > ')
  const [scope = ''] = title.split('/')
  return {
    title,
    folder: title.startsWith('@') ? scope : (/[a-z]/i.exec(title)?.[0] ?? '#').toUpperCase(),
    markdown: readFileSync(join(folder, file), 'utf8'),
  }
}

/** The READMEs by path in the folder. The title of a document is the name of its file. */
export function readmeFiles(readmes: readonly Readme[]): Map<string, Readme> {
  const files = new Map<string, Readme>()
  for (const readme of readmes) {
    const name = readme.title.replaceAll(/ > |\//g, ' - ')
    // A package may have both README.md and readme.markdown.
    let title = name
    for (let count = 2; files.has(`${readme.folder}/${title}.md`); count++) title = `${name} ${count}`
    files.set(`${readme.folder}/${title}.md`, { ...readme, title })
  }
  return files
}
