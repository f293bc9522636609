import { expect, test } from 'vitest'
import { longLivedStream } from '../../src/mcp/long-lived-stream.ts'

/** A stream that writes regardless of its reader, like those of the protocol. */
function writing() {
  let controller: ReadableStreamDefaultController<Uint8Array> | undefined
  let isCancelled = false
  const stream = new ReadableStream<Uint8Array>({
    start(given) {
      controller = given
    },
    cancel() {
      isCancelled = true
    },
  })
  return {
    stream,
    write: (bytes: number) => controller?.enqueue(new Uint8Array(bytes)),
    close: () => controller?.close(),
    isCancelled: () => isCancelled,
  }
}

test('data that its client reads passes through, and its end is reported', async () => {
  const source = writing()
  const { promise: ended, resolve } = Promise.withResolvers<void>()
  const answer = longLivedStream(new Response(source.stream, { status: 201, headers: { a: 'b' } }), resolve)
  expect([answer.status, answer.headers.get('a')]).toEqual([201, 'b'])
  const reader = answer.body?.getReader()
  let read = 0
  for (let time = 0; time < 20; time++) {
    source.write(100_000)
    read += (await reader?.read())?.value?.length ?? 0
  }
  source.close()
  expect([read, (await reader?.read())?.done, source.isCancelled()]).toEqual([2_000_000, true, false])
  await ended
})

test('it is ended if more is buffered than its client may leave unread', async () => {
  const source = writing()
  const { promise: ended, resolve } = Promise.withResolvers<void>()
  const answer = longLivedStream(new Response(source.stream), resolve)
  for (let time = 0; time < 3; time++) source.write(100_000)
  await ended
  expect(source.isCancelled()).toBe(true)
  expect((await answer.arrayBuffer()).byteLength).toBe(300_000)
})

test('it ends with its client', async () => {
  const source = writing()
  const { promise: ended, resolve } = Promise.withResolvers<void>()
  await longLivedStream(new Response(source.stream), resolve).body?.cancel()
  await ended
  expect(source.isCancelled()).toBe(true)
})

test('a response without a body has ended', () => {
  let ends = 0
  longLivedStream(new Response(null), () => void ends++)
  expect(ends).toBe(1)
})
