/** Reads which declarations of the sources use which others, so that tests find what leads to a function. */
import { globSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'

const ROOT = join(import.meta.dirname, '../..')

/** A declaration at the top of a file. */
export interface Declaration {
  file: string
  name: string
  text: string
}

/** Where a declaration begins, in the format of the sources. */
const BEGINNING = /^(?:export )?(?:default )?(?:async )?(?:abstract )?(?:const|let|function\*?|class) (\w+)/

const withoutComments = (source: string): string => source.replace(/\/\*[\s\S]*?\*\//g, '').replace(/^\s*\/\/.*$/gm, '')

/** The declarations of these files, and the names that each file imports, with the files that they are from. */
function readFiles(pattern: string) {
  const declarations: Declaration[] = []
  const imports = new Map<string, Map<string, { file: string; name: string }>>()
  for (const file of globSync(pattern, { cwd: ROOT })) {
    const source = withoutComments(readFileSync(join(ROOT, file), 'utf8'))
    const names = new Map<string, { file: string; name: string }>()
    imports.set(file, names)
    for (const [, list = '', from = ''] of source.matchAll(
      /^(?:import|export) (?:type )?\{([^}]*)\} from '(\.[^']+)'/gm,
    )) {
      const target = relative(ROOT, join(ROOT, file, '..', from))
      for (const one of list.split(',')) {
        const [name = '', alias = name] = one
          .trim()
          .replace(/^type /, '')
          .split(' as ')
        names.set(alias, { file: target, name })
      }
    }
    let current: Declaration | undefined
    for (const line of source.split('\n')) {
      const [, name] = BEGINNING.exec(line) ?? []
      if (name !== undefined) {
        current = { file, name, text: '' }
        declarations.push(current)
      }
      if (current !== undefined) current.text += `${line}\n`
    }
  }
  return { declarations, imports }
}

/**
 * The declarations that lead to another one, because they use it or what uses it.
 *
 * @param pattern  the files to search
 * @param isEnd  true for declarations that are found, but beyond which the search does not go
 */
export function declarationsUsing(
  pattern: string,
  wanted: Pick<Declaration, 'file' | 'name'>,
  isEnd: (declaration: Declaration) => boolean,
): Declaration[] {
  const { declarations, imports } = readFiles(pattern)
  const keyOf = ({ file, name }: Pick<Declaration, 'file' | 'name'>) => `${file} ${name}`
  const users = new Map<string, Declaration[]>()
  for (const declaration of declarations) {
    const used = new Set(declaration.text.match(/\b[A-Za-z_]\w*\b/g))
    for (const name of used) {
      const key = keyOf(imports.get(declaration.file)?.get(name) ?? { file: declaration.file, name })
      users.set(key, [...(users.get(key) ?? []), declaration])
    }
  }
  const found = new Set<Declaration>()
  const waiting = [keyOf(wanted)]
  for (let key = waiting.pop(); key !== undefined; key = waiting.pop()) {
    for (const user of users.get(key) ?? []) {
      if (found.has(user) || keyOf(user) === key) continue
      found.add(user)
      if (!isEnd(user)) waiting.push(keyOf(user))
    }
  }
  return [...found]
}
