/** How `scriptorium open` starts the browser. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { expect, test } from 'vitest'
import { folder, start } from '../program.ts'
import { eventually } from '../support/eventually.ts'

/** Writes down the page that it opens, and which of its streams are devices. */
const OPENER = `#!/bin/sh
{ for stream in 0 1 2; do [ -c "/dev/fd/$stream" ] && echo "$stream is a device"; done
  page=\${1#file://}; grep -o 'http://[^"]*/enter/[^"]*' "$page" | head -n 1; } > "$OPENED.part"
mv "$OPENED.part" "$OPENED"
`

test('the browser gets a page that only this user can read, and needs no /dev/null', async () => {
  const programs = folder()
  for (const name of ['open', 'xdg-open']) writeFileSync(join(programs, name), OPENER, { mode: 0o755 })
  const opened = join(programs, 'opened')
  const env = { PATH: `${programs}${delimiter}${process.env.PATH}`, OPENED: opened }
  const program = start(['open', '--space', join(folder(), 'space.sqlite'), '--port', '0'], env)
  const [, address = ''] = await program.until(/open them once with (\S+)/)
  await eventually(async () => expect(existsSync(opened)).toBe(true))
  expect(readFileSync(opened, 'utf8')).toBe(`${address}\n`)
  await program.end()
})
