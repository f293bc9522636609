/** The certificate of a server and its key, in files that may be replaced while the server runs. */

import { X509Certificate } from 'node:crypto'
import { readFileSync, statSync } from 'node:fs'
import { createSecureContext } from 'node:tls'
import { invalid, messageOf } from '../base/errors.ts'
import type { Logger } from '../base/logger.ts'
import { describeSystemError } from '../base/system-error.ts'
import type { Options } from './options.ts'

/** Milliseconds between looks at the files. */
const LOOK_MS = 60_000
const DAY_MS = 24 * 60 * LOOK_MS
/** Programs that renew certificates do so weeks before. */
const EXPIRY_DAYS = 7

export interface Certificate {
  cert: Buffer
  key: Buffer
}

/** @returns undefined without `--tls-cert` @throws VALIDATION_ERROR for files that are no certificate and its key */
export function certificateFiles({ tlsCert, tlsKey }: Options, logger: Logger): CertificateFiles | undefined {
  return tlsCert === undefined || tlsKey === undefined ? undefined : new CertificateFiles(tlsCert, tlsKey, logger)
}

export class CertificateFiles {
  readonly #certFile: string
  readonly #keyFile: string
  readonly #logger: Logger
  #current: Certificate
  #stamp: string
  #timer: NodeJS.Timeout | undefined
  #reportedExpiry: string | undefined

  constructor(certFile: string, keyFile: string, logger: Logger) {
    this.#certFile = certFile
    this.#keyFile = keyFile
    this.#logger = logger
    this.#stamp = this.#readStamp()
    this.#current = this.#read()
    this.#reportExpiry()
  }

  get current(): Certificate {
    return this.#current
  }

  /** The end of its validity, in seconds since 1970. */
  get expiresAt(): number {
    return new X509Certificate(this.#current.cert).validToDate.getTime() / 1000
  }

  /** Looks at the files once a minute, and hands over the certificate after they have changed. */
  watch(use: (certificate: Certificate) => void): void {
    this.#timer = setInterval(() => {
      if (this.#readStamp() !== this.#stamp) this.reload(use)
      this.#reportExpiry()
    }, LOOK_MS).unref()
  }

  /** Reads the files again. If they are unusable, the certificate stays, and the log says why. */
  reload(use: (certificate: Certificate) => void): void {
    this.#stamp = this.#readStamp()
    try {
      this.#current = this.#read()
      use(this.#current)
      this.#reportedExpiry = undefined
      this.#logger.info(`The certificate was read again; it is valid until ${isoTime(this.expiresAt)}.`)
    } catch (error) {
      this.#logger.error(`The certificate stays as it was, valid until ${isoTime(this.expiresAt)}: ${messageOf(error)}`)
    }
  }

  close(): void {
    clearInterval(this.#timer)
  }

  /** Logs once that clients refuse the certificate, or soon will. */
  #reportExpiry(): void {
    const days = (this.expiresAt * 1000 - Date.now()) / DAY_MS
    const found = days <= 0 ? 'has expired' : days < EXPIRY_DAYS ? 'expires soon' : undefined
    if (found === this.#reportedExpiry) return
    this.#reportedExpiry = found
    if (found === undefined) return
    const line = `The certificate ${found}, on ${isoTime(this.expiresAt)}: renew ${this.#certFile}; the server reads it again by itself.`
    if (days <= 0) this.#logger.error(line)
    else this.#logger.warn(line)
  }

  #readStamp(): string {
    const stamps = [this.#certFile, this.#keyFile].map((file) => {
      const { ino, mtimeMs, size } = statSync(file, { throwIfNoEntry: false }) ?? {}
      return `${ino} ${mtimeMs} ${size}`
    })
    return stamps.join(' ')
  }

  #read(): Certificate {
    const certificate = { cert: readPem('tls-cert', this.#certFile), key: readPem('tls-key', this.#keyFile) }
    try {
      createSecureContext(certificate)
      return certificate
    } catch (error) {
      throw invalid(
        `Expected a certificate and its key as --tls-cert and --tls-key, found that ${this.#certFile} and ${this.#keyFile} are none: ${messageOf(error)}.`,
      )
    }
  }
}

const isoTime = (seconds: number): string => new Date(seconds * 1000).toISOString()

function readPem(flag: string, file: string): Buffer {
  try {
    return readFileSync(file)
  } catch (error) {
    throw invalid(
      describeSystemError(error) ??
        `Expected a file in PEM as --${flag}, found that ${file} cannot be read: ${messageOf(error)}.`,
    )
  }
}
