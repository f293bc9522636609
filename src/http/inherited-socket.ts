/**
 * Socket activation: systemd listens at the address of a `.socket` unit, starts the program at the first connection,
 * and passes it the socket. Connections wait in that socket while the program restarts. See sd_listen_fds(3).
 */
import type { AddressInfo } from 'node:net'
import { invalid } from '../base/errors.ts'

/** Passed sockets begin after standard input, output and error. */
const FIRST_DESCRIPTOR = 3

/**
 * Takes a socket that was passed to this process, and removes it from the environment, so that child processes do not
 * expect it.
 *
 * @returns its file descriptor; undefined if none was passed
 * @throws VALIDATION_ERROR if several were passed
 */
export function takeInheritedSocket(environment: NodeJS.ProcessEnv, processId: number): number | undefined {
  const { LISTEN_PID: recipient, LISTEN_FDS: count } = environment
  if (recipient !== String(processId)) return undefined
  for (const name of ['LISTEN_PID', 'LISTEN_FDS', 'LISTEN_FDNAMES']) delete environment[name]
  if (count === '1') return FIRST_DESCRIPTOR
  throw invalid(`Expected one socket from systemd, found ${count ?? 'none'}; name one address in the .socket unit.`)
}

/**
 * Checks that a socket matches the flags, which determine links and the check of the Host header.
 *
 * @param address  of a server that listens on an inherited socket; a string for a Unix socket
 * @throws VALIDATION_ERROR if the socket has another address
 */
export function assertSocketAddress(address: AddressInfo | string | null, host: string, port: number): void {
  const isAddress = typeof address === 'object' && address !== null
  if (isAddress && address.address === host && address.port === port) return
  const found = isAddress ? `${address.address}, port ${address.port}` : (address ?? 'none')
  throw invalid(
    `Expected the socket from systemd at ${host}, port ${port}, as --host and --port say, found ${found}; let ListenStream of the .socket unit name the same address.`,
  )
}
