/** Backups, restoring them, and plain copies of files. */
import { copyFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { commandOf, runProgram } from '../attack/process.ts'
import type { Scenario, ScenarioContext } from './scenario.ts'
import { addDocument, idIn, type Running, start, TRANSPORTS, titlesIn } from './transports.ts'

const command = ({ program }: ScenarioContext, args: readonly string[]) => commandOf(program, args)

const RESTORE = 'storage/sqlite/copies/restore.ts'

export const copied: Scenario = {
  name: 'a backup is made of a space in use, and restored over what a killed program left',
  planted: [
    {
      file: RESTORE,
      find: '  if (!existsSync(file)) return undefined\n',
      replace: '  if (file.length > 0) return undefined\n',
    },
    {
      file: RESTORE,
      // biome-ignore lint/suspicious/noTemplateCurlyInString: the text of a source file
      find: '    if (lock === undefined) for (const side of SIDE_SUFFIXES) move(`${file}${side}`, `${previous}${side}`)\n',
      replace: '',
    },
  ],
  async run(context) {
    const faults: string[] = []
    for (const transport of TRANSPORTS) {
      const folder = context.folder()
      const [file, backup] = [join(folder, 'space.sqlite'), join(folder, 'backup.sqlite')]
      const running = await start(transport, context, file)
      await addDocument(running, 'In the backup')
      await command(context, ['backup', '--space', file, '--to', backup])
      await addDocument(running, 'After the backup')
      const restore = ['restore', backup, '--space', file]
      const whileOpen = await runProgram(context.program, restore)
      if (whileOpen.code === 0) faults.push(`over ${transport}, a space that is open was restored.`)
      else if (!whileOpen.errors.includes('end the program that serves it')) {
        faults.push(`over ${transport}, it was refused with: ${whileOpen.errors}`)
      }
      // The last writes are in the write-ahead log, which must not be applied to the backup.
      await running.end('SIGKILL')
      await command(context, restore)
      const titles = await titlesIn(context, file)
      if (!titles.includes('In the backup') || titles.includes('After the backup')) {
        faults.push(`over ${transport}, the backup was not what was opened; found ${titles.join(', ')}.`)
      }
      const examined = await runProgram(context.program, ['doctor', '--space', file])
      if (examined.code !== 0) faults.push(`over ${transport}, the restored space is not sound: ${examined.output}`)
    }
    return faults
  },
}

/** Values that a caller keeps: cursors, revisions and idempotency keys. */
export const fromBefore: Scenario = {
  name: 'cursors, revisions, keys and links from before a restore mean nothing after it',
  planted: [
    {
      file: RESTORE,
      find: "      sqlite.prepare('UPDATE space SET secret = ?').run(randomBytes(32).toString('hex'))\n",
      replace: '',
    },
    {
      file: RESTORE,
      find: "      sqlite.prepare('UPDATE document SET revision = revision + ?').run(randomInt(...REVISION_OFFSETS))\n",
      replace: '',
    },
    { file: RESTORE, find: 'DELETE FROM kept_answer; ', replace: '' },
    {
      file: RESTORE,
      find: "        sqlite.prepare('UPDATE link SET revoked_at = ? WHERE revoked_at IS NULL').run(now)\n",
      replace: '',
    },
  ],
  async run(context) {
    const faults: string[] = []
    const folder = context.folder()
    const [file, backup] = [join(folder, 'space.sqlite'), join(folder, 'backup.sqlite')]
    const running = await start('stdio', context, file)
    const id = idIn((await addDocument(running, 'First', 'words')).text)
    await addDocument(running, 'Second')
    const keyed = { documents: [{ title: 'By a key' }] }
    await running.call('documents_add', keyed, 'key-1')
    const listed = await running.call('documents_list', { limit: 1, format: 'json' })
    const { cursor } = JSON.parse(listed.text).pagination
    const read = await running.call('blocks_get', { id, format: 'markdown' })
    const replacing = { pageId: id, markdown: 'other words', revision: revisionIn(read.text) }
    const link = await command(context, ['links', 'add', '--json', '--space', file])
    await command(context, ['backup', '--space', file, '--to', backup])
    await running.end()
    await command(context, ['restore', backup, '--space', file])

    const served = await start('serve', context, file)
    const opened = await fetch(
      `${new URL(served.restUrl ?? '').origin}${new URL(JSON.parse(link).restUrl).pathname}/folders`,
    )
    if (opened.status !== 401) faults.push(`a link from before opened the space (${opened.status}).`)
    await served.end()
    const again = await start('stdio', context, file)
    for (const [what, reply] of [
      ['a cursor', await again.call('documents_list', { limit: 1, format: 'json', cursor })],
      ['a revision', await again.call('blocks_update', replacing)],
    ] as const) {
      if (!reply.isRefused) faults.push(`${what} from before was taken: ${reply.text.slice(0, 200)}`)
    }
    const before = await documentsNamed(again, 'By a key')
    await again.call('documents_add', keyed, 'key-1')
    const after = await documentsNamed(again, 'By a key')
    if (after !== before + 1) faults.push('a key from before was taken for that of a retry.')
    await again.end()
    return faults
  },
}

/** What clients keep for good: the long IDs of REST, and addresses of files. */
export const kept: Scenario = {
  name: 'long IDs and addresses of files from before a restore lead where they led',
  planted: [
    {
      file: RESTORE,
      find: '      if (replaced !== undefined) adoptAddressKeys(sqlite, replaced)\n',
      replace:
        "      sqlite.exec(\"UPDATE address_key SET id_prefix = '00000000-0000-8000-8000', file_key = replace(file_key, '1', '2')\")\n",
    },
  ],
  async run(context) {
    const faults: string[] = []
    const folder = context.folder()
    const [file, elsewhere] = [join(folder, 'space.sqlite'), join(folder, 'other.sqlite')]
    const [backup, again] = [join(folder, 'backup.sqlite'), join(folder, 'again.sqlite')]
    const served = await start('serve', context, file)
    const rest = served.restUrl ?? ''
    const headers = { 'content-type': 'application/json' }
    const body = JSON.stringify({ documents: [{ title: 'Kept' }] })
    const added = await (await fetch(`${rest}/documents`, { method: 'POST', headers, body })).json()
    const { id } = (added as { items: { id: string }[] }).items[0] ?? { id: '' }
    const upload = { method: 'POST', headers: { 'content-type': 'text/plain' }, body: 'bytes' }
    const uploaded = await (await fetch(`${rest}/upload?position=end&pageId=${id}&fileName=a.txt`, upload)).json()
    const { assetUrl } = uploaded as { assetUrl: string }
    await command(context, ['backup', '--space', file, '--to', backup])
    await served.end()
    const restores = [
      ['in place', file, [backup]],
      ['elsewhere', elsewhere, [backup, '--keep-access']],
      ['from the backup of a restored space', elsewhere, [again, '--keep-access']],
    ] as const
    for (const [where, space, args] of restores) {
      if (args[0] === again) await command(context, ['backup', '--space', space, '--to', again])
      await command(context, ['restore', ...args, '--space', space])
      const running = await start('serve', context, space)
      const { origin } = new URL(running.restUrl ?? '')
      const read = await fetch(`${running.restUrl}/blocks?id=${id}`)
      const found = read.status === 200 ? ((await read.json()) as { id: string }).id : String(read.status)
      if (found !== id) faults.push(`restored ${where}, ${id} was read as ${found}.`)
      const opened = await fetch(`${origin}${new URL(assetUrl).pathname}`)
      const expected = args.length > 1 ? 200 : 404
      if (opened.status !== expected) faults.push(`restored ${where}, the address of a file gave ${opened.status}.`)
      await running.end()
    }
    return faults
  },
}

const revisionIn = (text: string): string => /Revision (\S+)\.$/m.exec(text)?.[1] ?? ''

async function documentsNamed(running: Running, title: string): Promise<number> {
  const { text } = await running.call('documents_list', { format: 'json' })
  return (JSON.parse(text).items as { title: string }[]).filter((one) => one.title === title).length
}

/** Seconds in which the log of an idle space must be checkpointed. */
const IDLE_SECONDS = 12

export const idle: Scenario = {
  name: 'the file of an idle space is copied plainly',
  planted: [
    {
      file: 'storage/sqlite/idle-checkpoint.ts',
      find: "      const [result] = sqlite.pragma('wal_checkpoint(TRUNCATE)') as { busy: number }[]\n",
      replace: '      const [result] = [{ busy: 1 }]\n',
    },
  ],
  async run(context) {
    const each = TRANSPORTS.map(async (transport) => {
      const file = join(context.folder(), 'space.sqlite')
      const running = await start(transport, context, file)
      await addDocument(running, 'Acknowledged')
      const until = performance.now() + IDLE_SECONDS * 1000
      while (statSync(`${file}-wal`).size > 0 && performance.now() < until) await delay(200)
      const copy = `${file}.copy`
      copyFileSync(file, copy)
      const titles = await titlesIn(context, copy)
      await running.end()
      return titles.includes('Acknowledged') ? [] : [`over ${transport}, the copy lacks what was acknowledged.`]
    })
    return (await Promise.all(each)).flat()
  },
}
