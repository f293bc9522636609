import { readFileSync } from 'node:fs'

/** Reads a file that a flag names. Node names no path in the error about a folder that is read. */
export function readTextFile(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    throw Object.assign(error as Error, { path })
  }
}
