/** The hosts to which subscriptions may send, as the operator lists them: `example.org`, or `*.example.org`. */

/** @param hosts  any host if absent @param host  as in a URL */
export function isHostAmong(hosts: readonly string[] | undefined, host: string): boolean {
  if (hosts === undefined) return true
  return hosts.some((one) => (one.startsWith('*.') ? host.endsWith(one.slice(1)) : one === host))
}
