/** An entry that is started once, as a host would start it. */
import { expect, test } from 'vitest'
import { startOnce } from '../../../src/cli/hosts/start-once.ts'

/** A server that prints a line that is no message before it answers. */
const TALKING = `
  console.log('starting {')
  process.stdin.on('data', (text) => {
    for (const line of String(text).split('\\n').filter(Boolean)) {
      const { id, method } = JSON.parse(line)
      if (id === undefined) continue
      const result = method === 'tools/list' ? { tools: [{ name: 'one' }, { name: 'two' }] } : {}
      console.log(JSON.stringify({ jsonrpc: '2.0', id, result }))
    }
  })`

const started = (script: string) => startOnce({ command: process.execPath, args: ['-e', script] })

test('what it prints besides messages is passed over', async () => {
  expect(await started(TALKING)).toEqual({ tools: 2 })
})

test('one that ends at once is refused with its last words', async () => {
  await expect(started("console.error('No such space.'); process.exit(2)")).rejects.toThrow(
    'Expected the entry to start, found this: No such space. Nothing was written; install again once it starts.',
  )
})
