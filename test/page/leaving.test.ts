import { expect, test } from 'vitest'
import { createPages } from '../../src/page/pages.ts'
import { endpoints } from '../../tools/index.ts'
import { buildSpace } from '../build.ts'
import { program } from './sample-space.ts'

test('a client that leaves while a long document is sent causes no error', async () => {
  const { space } = await buildSpace()
  const markdown = Array.from({ length: 400 }, (_, line) => `Line ${line}`).join('\n\n')
  const { items } = await program(space, 'editor')('documents_add', { documents: [{ title: 'Plan', markdown }] })
  const logged: string[] = []
  const path = `/d/${items[0].id}`
  const url = new URL(`http://localhost/view/key${path}`)
  const response = await createPages(endpoints).handle({
    ...{ request: new Request(url), url, path, base: '/view/key', root: '', origin: url.origin },
    caller: { space, link: await space.createAccessLink('full', []) },
    ...{ isOperator: false, formToken: '', isKept: false, owner: '', form: new URLSearchParams(), now: Date.now() },
    ...{ log: (line: string) => void logged.push(line), markLongLived: () => {} },
  })
  const reader = response.body?.getReader()
  const { value } = (await reader?.read()) ?? {}
  expect(new TextDecoder().decode(value)).toContain('<h1')
  const rest = reader?.read()
  await reader?.cancel()
  expect((await rest)?.done).toBe(true)
  expect(logged).toEqual([])
})
