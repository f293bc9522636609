/** Calls of the REST API. `REST_URL` is the REST address of an access link, as `scriptorium links add` prints it. */
const { REST_URL } = process.env

/**
 * @param line  method and path, such as `GET /tasks?scope=inbox`
 * @param key  an idempotency key: a call that is repeated with it takes effect once
 * @throws Error with the sentence of the server, which says what was expected and what to do next
 */
export async function call<Answer>(line: string, body?: object, key?: string): Promise<Answer> {
  if (REST_URL === undefined) throw new Error('Expected the REST address of a link in REST_URL, found none.')
  const [method = 'GET', path = ''] = line.split(' ')
  const headers = { 'content-type': 'application/json', ...(key !== undefined && { 'idempotency-key': key }) }
  const response = await fetch(REST_URL + path, { method, headers, ...(body && { body: JSON.stringify(body) }) })
  const answer = (await response.json()) as Answer & { error?: string }
  if (!response.ok) throw new Error(`${line}: ${answer.error}`)
  return answer
}

export interface Items<Item> {
  items: Item[]
}

/** The date of today in the time zone of the space, as YYYY-MM-DD. */
export async function today(): Promise<string> {
  const { space } = await call<{ space: { time: string } }>('GET /connection')
  return space.time.slice(0, 10)
}

/** All of standard input. */
export async function standardInput(): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of process.stdin) chunks.push(chunk)
  return Buffer.concat(chunks).toString('utf8')
}
