/** A failing disk must be reported, and a wrong clock must not prevent notifications. */
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { type FaultError, Faults } from '../crash/faults.ts'
import type { Scenario } from './scenario.ts'
import { addDocument, closedSpace, idIn, start, TRANSPORTS, titlesIn } from './transports.ts'

/** The number of writes that encounter the fault. They share a line of the program's log. */
const WRITES = 4

interface DiskFault {
  error: FaultError
  message: RegExp
  status: number
  code: string
}

const DISK_FAULTS: readonly DiskFault[] = [
  {
    error: 'ENOSPC',
    message: /^Expected room on the server's disk, found it full; nothing was written\./,
    status: 507,
    code: 'STORAGE_FULL',
  },
  {
    error: 'EIO',
    message: /^Expected the server's disk to work, found that it fails/,
    status: 503,
    code: 'STORAGE_UNAVAILABLE',
  },
]

export const failing: Scenario = {
  name: 'the disk is full, or fails',
  planted: [
    {
      file: 'storage/sqlite/disk-errors.ts',
      find: '  if (kind === undefined) return toDiskError(error.cause)\n',
      replace: '  if (kind?.code !== undefined || kind === undefined) return undefined\n',
    },
    {
      file: 'src/call/disk-fault-log.ts',
      find: 'if (entry !== undefined && now - entry.loggedAt < LOG_INTERVAL_MS) {',
      replace: 'if (entry !== undefined && now - entry.loggedAt < 0) {',
    },
  ],
  async run(context) {
    const faults: string[] = []
    for (const transport of TRANSPORTS) {
      for (const { error, message, status, code } of DISK_FAULTS) {
        const reportFault = (fault: string) => faults.push(`over ${transport}, ${error}: ${fault}`)
        const folder = context.folder()
        const disk = join(folder, 'disk')
        mkdirSync(disk)
        const switches = new Faults(join(folder, 'faults'))
        const env = { LD_PRELOAD: context.libraries.disk, DISK_ROOT: disk, DISK_FAULTS: switches.path }
        const running = await start(transport, context, join(disk, 'space.sqlite'), env)
        await addDocument(running, 'Before')
        const before = running.errors().length
        switches.set('pwrite', error, 1, true)
        for (let write = 0; write < WRITES; write++) {
          const { isRefused, text } = await addDocument(running, 'In vain')
          if (!isRefused) reportFault('a write was acknowledged.')
          else if (!message.test(text)) reportFault(`a write was refused with: ${text}`)
        }
        if (running.restUrl !== undefined) {
          const documents = [{ title: 'In vain' }]
          const answer = await post(`${running.restUrl}/documents`, { documents })
          if (answer.status !== status || answer.code !== code)
            reportFault(`REST answered ${answer.status} ${answer.code}.`)
        }
        const read = await running.call('documents_list')
        if (read.isRefused) reportFault(`reading ended: ${read.text}`)
        switches.clear()
        const recovered = await addDocument(running, 'Afterwards')
        if (recovered.isRefused) reportFault(`writing did not go on: ${recovered.text}`)
        await running.end()
        const logged = running
          .errors()
          .slice(before)
          .split('\n')
          .filter((line) => line.includes(code) || /^\s+at /.test(line))
        if (logged.length !== 1)
          reportFault(`expected one line in the log, found ${logged.length}: ${logged.join(' | ').slice(0, 500)}`)
        switches.close()
      }
    }
    return faults
  },
}

async function post(url: string, body: object): Promise<{ status: number; code: string }> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  const { code } = (await response.json()) as { code: string }
  return { status: response.status, code }
}

const YEAR_SECONDS = 365 * 24 * 60 * 60
/** The number of changes of which a subscriber must be notified. */
const CHANGES = 3
/**
 * Seconds after which a notification counts as missing, even on a busy machine. The space is polled four times a
 * second.
 */
const PATIENCE = 20

export const ahead: Scenario = {
  name: 'a program whose clock is a year ahead writes once, then others write',
  planted: [
    // With this fault, the number of a change is its time.
    {
      file: 'storage/changes.ts',
      find: 'export const CHANGE_NUMBER = sql`(SELECT value + 1 FROM change_counter)`',
      replace: "export const CHANGE_NUMBER = sql`CAST(unixepoch('subsec') * 1000 AS INTEGER)`",
    },
    {
      file: 'storage/changes.ts',
      find: 'sql`SELECT value, listing, call',
      replace: 'sql`SELECT (SELECT max(change_number) FROM document) AS value, listing, call',
    },
  ],
  async run(context) {
    const faults: string[] = []
    for (const transport of TRANSPORTS) {
      const file = join(context.folder(), 'space.sqlite')
      const watching = await start(transport, context, file)
      const id = idIn((await addDocument(watching, 'Watched', 'words')).text)
      const { resources } = await watching.client.listResources()
      const uri = resources.find((one) => one.uri.includes(id))?.uri ?? `scriptorium://documents/${id}`
      let notified = 0
      watching.client.setNotificationHandler('notifications/resources/updated', () => {
        notified++
      })
      await watching.client.subscribeResource({ uri })
      const env = { LD_PRELOAD: context.libraries.clock, CLOCK_AHEAD: String(YEAR_SECONDS) }
      const inFuture = await start('stdio', context, file, env)
      const present = await start('stdio', context, file)
      for (const [index, writer] of [inFuture, ...Array.from({ length: CHANGES }, () => present)].entries()) {
        const before = notified
        await writer.call('blocks_add', { position: { position: 'end', pageId: id }, markdown: `change ${index}` })
        const until = performance.now() + PATIENCE * 1000
        while (notified === before && performance.now() < until) await delay(50)
        if (notified > before) continue
        faults.push(`over ${transport}, no one was notified of change ${index}.`)
        break
      }
      await Promise.all([inFuture.end(), present.end(), watching.end()])
    }
    return faults
  },
}

/** From today to a year with five digits. */
const CENTURIES_SECONDS = 8_000 * YEAR_SECONDS

export const beyond: Scenario = {
  name: 'a program whose clock is past the year 9999 reads, and writes nothing',
  planted: [
    {
      file: 'storage/clock-fault.ts',
      find: 'if (!isWritableTime(now)) throw clockFault(now)',
      replace: 'if (!isWritableTime(now)) return',
    },
  ],
  async run(context) {
    const faults: string[] = []
    for (const transport of TRANSPORTS) {
      const reportFault = (fault: string) => faults.push(`over ${transport}, ${fault}`)
      const file = join(context.folder(), 'space.sqlite')
      await closedSpace(context, file, 'Before')
      const env = { LD_PRELOAD: context.libraries.clock, CLOCK_AHEAD: String(CENTURIES_SECONDS) }
      const running = await start(transport, context, file, env)
      const written = await addDocument(running, 'In vain')
      if (!written.isRefused) reportFault('a write was acknowledged.')
      else if (!/^Expected the clock of the server to show a year up to 9999/.test(written.text))
        reportFault(`a write was refused with: ${written.text}`)
      const read = await running.call('documents_list')
      if (read.isRefused) reportFault(`reading ended: ${read.text}`)
      await running.end()
      if (!running.errors().includes('Expected the clock of this machine to show a year up to 9999'))
        reportFault(`the log does not say that the clock is wrong: ${running.errors().slice(0, 500)}`)
      const titles = await titlesIn(context, file)
      if (titles.join() !== 'Before') reportFault(`expected the document from before, found ${titles.join(', ')}.`)
    }
    return faults
  },
}

/** Longer than any retention of the program, unless it is told otherwise. */
const MONTHS_SECONDS = 120 * 24 * 60 * 60

export const monthsAhead: Scenario = {
  name: 'a program whose clock is months ahead starts and writes, then others take back what was written before',
  planted: [
    {
      file: 'storage/expiry.ts',
      find: 'return start === null ? NEVER : Math.min(now - age, start - 1)',
      replace: 'return now - age',
    },
  ],
  async run(context) {
    const faults: string[] = []
    for (const transport of TRANSPORTS) {
      const file = join(context.folder(), 'space.sqlite')
      const before = await start(transport, context, file)
      const id = idIn((await addDocument(before, 'Before', 'words')).text)
      await before.end()
      const env = { LD_PRELOAD: context.libraries.clock, CLOCK_AHEAD: String(MONTHS_SECONDS) }
      const inFuture = await start(transport, context, file, env)
      await addDocument(inFuture, 'Ahead')
      await inFuture.end()
      if (!inFuture.errors().includes('has not expired yet'))
        faults.push(`over ${transport}, the log does not say that history was kept: ${inFuture.errors().slice(0, 500)}`)
      // Opening prunes, too.
      await (await start(transport, context, file, env)).end()
      const afterwards = await start(transport, context, file)
      const listed = await afterwards.call('history_list', { documentId: id, format: 'json' })
      const callId = listed.object.items[0]?.callId ?? 'none'
      const undone = await afterwards.call('history_undo', { calls: [callId] })
      if (undone.isRefused)
        faults.push(`over ${transport}, what was written before cannot be taken back: ${undone.text}`)
      await afterwards.end()
    }
    return faults
  },
}
