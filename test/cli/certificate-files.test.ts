/** A certificate that is renewed while the server runs. */

import { utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { connect } from 'node:tls'
import { expect, onTestFinished, test, vi } from 'vitest'
import { logFaultsTo } from '../../src/base/logger.ts'
import { CertificateFiles } from '../../src/cli/certificate-files.ts'
import { makeCertificate } from '../certificate.ts'
import { serveBuilt } from '../http/serving.ts'
import { folder } from '../program.ts'

/** The certificate that a server shows, as PEM without line ends. */
const shownAt = (port: number): Promise<string> =>
  new Promise((resolve, reject) => {
    const socket = connect({ port, host: '127.0.0.1', rejectUnauthorized: false }, () => {
      resolve(socket.getPeerX509Certificate()?.toString() ?? '')
      socket.destroy()
    }).once('error', reject)
  })

test('new connections get the renewed certificate, on request or within a minute; a broken one is not used', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  onTestFinished(() => void vi.useRealTimers())
  const path = folder()
  const [certFile, keyFile] = [join(path, 'cert.pem'), join(path, 'key.pem')]
  let seconds = 1_000
  const write = ({ cert, key }: { cert: string; key: string }) => {
    writeFileSync(certFile, cert)
    writeFileSync(keyFile, key)
    for (const file of [certFile, keyFile]) utimesSync(file, seconds, seconds)
    seconds++
  }
  const valid = () => makeCertificate(Date.now(), 30)
  const [first, second, third] = [valid(), valid(), valid()]
  write(first)
  const noted: string[] = []
  const note = (line: string) => void noted.push(line)
  const files = new CertificateFiles(certFile, keyFile, { ...logFaultsTo(note), info: note })
  onTestFinished(() => files.close())
  const { server, port } = await serveBuilt({ tls: files.current })
  files.watch(server.useCertificate)
  expect(await shownAt(port)).toBe(first.cert)
  write(second)
  files.reload(server.useCertificate)
  expect(await shownAt(port)).toBe(second.cert)
  write({ ...third, key: second.key })
  vi.advanceTimersByTime(60_000)
  expect(await shownAt(port)).toBe(second.cert)
  write(third)
  vi.advanceTimersByTime(60_000)
  expect(await shownAt(port)).toBe(third.cert)
  vi.advanceTimersByTime(600_000)
  expect(noted).toEqual([
    expect.stringMatching(/^The certificate was read again; it is valid until 20/),
    expect.stringMatching(/^The certificate stays as it was, valid until 20.*: Expected a certificate and its key/),
    expect.stringMatching(/^The certificate was read again; it is valid until 20/),
  ])
  expect(new Date(files.expiresAt * 1000).getTime()).toBeGreaterThan(Date.now())
})

test('a certificate that has expired, or soon will, is logged once', () => {
  vi.useFakeTimers({ now: Date.parse('2026-11-20T00:00:00Z') })
  onTestFinished(() => void vi.useRealTimers())
  const path = folder()
  const [certFile, keyFile] = [join(path, 'cert.pem'), join(path, 'key.pem')]
  const { cert, key } = makeCertificate(Date.now(), 8)
  writeFileSync(certFile, cert)
  writeFileSync(keyFile, key)
  const noted: string[] = []
  const note = (level: string) => (line: string) => void noted.push(`${level}: ${line}`)
  const logger = { ...logFaultsTo(note('')), info: note('info'), warn: note('warn'), error: note('error') }
  const files = new CertificateFiles(certFile, keyFile, logger)
  onTestFinished(() => files.close())
  files.watch(() => {})
  expect(noted).toEqual([])
  vi.advanceTimersByTime(9 * 24 * 3600_000)
  const next = `on 2026-11-28T00:00:00.000Z: renew ${certFile}; the server reads it again by itself.`
  expect(noted).toEqual([`warn: The certificate expires soon, ${next}`, `error: The certificate has expired, ${next}`])
})
