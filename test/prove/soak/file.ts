/** Uploads and downloads one file in pieces. It is larger than what a process should keep in memory. */
import { createHash } from 'node:crypto'

const PIECE = 1024 * 1024

/** @throws Error if the downloaded file differs */
export async function bigFile(base: string, bytes: number): Promise<void> {
  const sent = createHash('sha256')
  let count = 0
  const body = new ReadableStream({
    pull(controller) {
      if (count >= bytes) return controller.close()
      const piece = Buffer.alloc(Math.min(PIECE, bytes - count), count % 251)
      count += piece.length
      sent.update(piece)
      controller.enqueue(piece)
    },
  })
  const init = { method: 'POST', headers: { 'content-type': 'application/octet-stream' }, body, duplex: 'half' }
  const added = await fetch(`${base}/upload?position=end&date=today&fileName=big.bin`, init as RequestInit)
  const text = await added.text()
  if (!added.ok) throw new Error(`Expected ${bytes} bytes to be taken, found ${added.status} ${text}.`)
  const { assetUrl } = JSON.parse(text) as { assetUrl: string }
  const fetched = await fetch(new URL(assetUrl, base))
  const found = createHash('sha256')
  for await (const piece of fetched.body ?? []) found.update(piece)
  const [expected, came] = [sent.digest('hex'), found.digest('hex')]
  if (came !== expected) throw new Error(`Expected ${bytes} bytes with SHA-256 ${expected}, found ${came}.`)
}
