/** The icons: a name for each symbol, and none that no page shows. */
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { root } from '../program.ts'

const read = (file: string) => readFileSync(join(root, 'src/page', file), 'utf8')
const drawn = [...read('assets/icons.svg').matchAll(/<symbol id="([\w-]+)" viewBox="0 0 24 24"><path d="M[^"<]+"\/>/g)]
const names = [...read('icon-names.ts').matchAll(/^ {2}'([\w-]+)',$/gm)].map(([, name]) => name)

test('each name is one symbol', () => {
  expect(names.length).toBeGreaterThan(40)
  expect(drawn.map(([, name]) => name)).toEqual(names)
  expect([...read('assets/icons.svg').matchAll(/<symbol/g)]).toHaveLength(names.length)
})

test('each symbol is shown somewhere', () => {
  const sources = globSync('**/*.{ts,js}', { cwd: join(root, 'src/page') })
    .filter((file) => file !== 'icon-names.ts' && !file.startsWith('texts'))
    .map(read)
    .join('\n')
  expect(names.filter((name) => !sources.includes(`'${name}'`))).toEqual([])
})
