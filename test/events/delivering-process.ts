/** A process that delivers the events of a space until it is killed. Leases and pauses are short, so that another goes on. */
import { openSpace } from '../../src/space/open-space.ts'
import { WebhookDelivery } from '../../src/webhooks/webhook-delivery.ts'
import { endpoints } from '../../tools/index.ts'

const [file = ''] = process.argv.slice(2)
const space = await openSpace(file)
new WebhookDelivery(space, {
  version: '1.2.3',
  endpoints,
  isAllowed: (address) => address.startsWith('127.'),
  report: () => {},
  lease: 300,
  pauses: Array(1_000).fill(10),
})
// Nothing of the delivery keeps a process running.
setInterval(() => {}, 60_000)
