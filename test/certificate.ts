/** A certificate for this machine, made for a test: X.509 by hand, since Node reads certificates and makes none. */
import { generateKeyPairSync, sign } from 'node:crypto'

const DAY = 86_400_000

/** Self-signed, for localhost and 127.0.0.1, valid for a day. Both as PEM. */
export function makeCertificate(now = Date.now()): { cert: string; key: string } {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const algorithm = sequence(der(0x06, Buffer.from('2a8648ce3d040302', 'hex')))
  const name = sequence(
    der(0x31, sequence(der(0x06, Buffer.from('550403', 'hex')), der(0x0c, Buffer.from('localhost')))),
  )
  const names = sequence(der(0x82, Buffer.from('localhost')), der(0x87, Buffer.from([127, 0, 0, 1])))
  const extension = sequence(der(0x06, Buffer.from('551d11', 'hex')), der(0x04, names))
  const content = sequence(
    der(0xa0, der(0x02, Buffer.from([2]))),
    der(0x02, Buffer.from([1])),
    algorithm,
    name,
    sequence(time(now - DAY), time(now + DAY)),
    name,
    publicKey.export({ type: 'spki', format: 'der' }),
    der(0xa3, sequence(extension)),
  )
  const signature = der(0x03, Buffer.from([0]), sign('sha256', content, privateKey))
  const body = sequence(content, algorithm, signature).toString('base64').replace(/.{64}/g, '$&\n')
  return {
    cert: `-----BEGIN CERTIFICATE-----\n${body}\n-----END CERTIFICATE-----\n`,
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
  }
}

/** A value with its tag and length. */
function der(tag: number, ...parts: Uint8Array[]): Buffer {
  const content = Buffer.concat(parts)
  const { length } = content
  const head = length < 0x80 ? [length] : length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff]
  return Buffer.concat([Buffer.from([tag, ...head]), content])
}

const sequence = (...parts: Uint8Array[]): Buffer => der(0x30, ...parts)

/** GeneralizedTime: `20261120090000Z`. */
const time = (milliseconds: number): Buffer =>
  der(0x18, Buffer.from(new Date(milliseconds).toISOString().replace(/[-:T]|\.\d+/g, '')))
