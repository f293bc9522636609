/** Finds ports for programs that must get the same port again after a restart. */
import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'

/** Ports that no program listens on. All are opened at the same time, so that they are different. */
export async function freePorts(count: number): Promise<number[]> {
  const listeners = Array.from({ length: count }, () => createServer().listen(0, '127.0.0.1'))
  await Promise.all(listeners.map((listener) => once(listener, 'listening')))
  const ports = listeners.map((listener) => (listener.address() as AddressInfo).port)
  await Promise.all(listeners.map((listener) => new Promise((resolve) => listener.close(resolve))))
  return ports
}
