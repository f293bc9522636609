/** Reads what was dropped on the page: files, and folders with all that is in them. */
import type { ZippedFile } from './zip-blob.ts'

/** What a person chose: one file as it is, or several as a zip. */
export interface Chosen {
  /** The name of the folder or the file. */
  name: string
  /** One file that is sent as it is. */
  file?: File
  files: readonly ZippedFile[]
}

/** Folders of version control, of which nothing is imported. */
const UNREAD = /(?:^|\/)\.(?:git|hg|svn)\//

/** @returns undefined for a drop without files */
export async function readDropped(items: DataTransferItemList): Promise<Chosen | undefined> {
  // Entries can only be read before anything is awaited.
  const entries = [...items].flatMap((item) => item.webkitGetAsEntry() ?? [])
  const [first] = entries
  // What another program hands over is a file, but has no place on the disk.
  if (first === undefined) return ofFiles([...items].flatMap((item) => item.getAsFile() ?? []))
  if (entries.length === 1 && first instanceof FileSystemFileEntry) {
    return { name: first.name, file: await fileOf(first), files: [] }
  }
  const files: ZippedFile[] = []
  for (const entry of entries) await collect(entry, files)
  return chosenFiles(nameOf(first.name, entries.length), files)
}

function ofFiles(files: readonly File[]): Chosen | undefined {
  const [file] = files
  if (file === undefined) return undefined
  if (files.length === 1) return { name: file.name, file, files: [] }
  const listed = files.map((one) => ({ path: one.name, file: one }))
  return { name: nameOf(file.name, files.length), files: listed }
}

/** The same drop has the same name, by which its import is recognized. */
const nameOf = (first: string, count: number): string => (count === 1 ? first : `${first} and ${count - 1} more`)

/** What a folder field holds. The first part of each path is the name of the folder. */
export function readFolderField(list: FileList): Chosen | undefined {
  const files = [...list].map((file) => ({ path: file.webkitRelativePath || file.name, file }))
  const [name = ''] = files[0]?.path.split('/') ?? []
  return files.length === 0 ? undefined : chosenFiles(name, files)
}

/** Paths begin inside the folder, as in a zip of what it holds. */
function chosenFiles(name: string, files: readonly ZippedFile[]): Chosen {
  const isWithin = files.every(({ path }) => path.startsWith(`${name}/`))
  const read = files.filter(({ path }) => !UNREAD.test(path))
  return { name, files: isWithin ? read.map(({ path, file }) => ({ path: path.slice(name.length + 1), file })) : read }
}

async function collect(entry: FileSystemEntry, files: ZippedFile[]): Promise<void> {
  const path = entry.fullPath.replace(/^\//, '')
  if (entry instanceof FileSystemFileEntry) files.push({ path, file: await fileOf(entry) })
  else if (entry instanceof FileSystemDirectoryEntry && !UNREAD.test(`${path}/`)) {
    const reader = entry.createReader()
    // A folder is read in parts, the last of which is empty.
    for (let part = await readPart(reader); part.length > 0; part = await readPart(reader)) {
      for (const inner of part) await collect(inner, files)
    }
  }
}

const fileOf = (entry: FileSystemFileEntry): Promise<File> => new Promise((done, fail) => entry.file(done, fail))

const readPart = (reader: FileSystemDirectoryReader): Promise<FileSystemEntry[]> =>
  new Promise((done, fail) => reader.readEntries(done, fail))
