/**
 * Refusals that are made before anything knows what a request is for, such as for a body that does not arrive. Programs
 * get them as JSON. On the pages they are errors, which are shown as pages.
 */
import { ScriptoriumError } from '../base/errors.ts'

/** Its status is that of the response, which its code may not have. */
export class EarlyRefusal extends ScriptoriumError {
  readonly #status: number

  /** @param response  a response with a refusal as JSON */
  static async of(response: Response): Promise<EarlyRefusal> {
    const { code, error } = (await response.json()) as Pick<ScriptoriumError, 'code'> & { error: string }
    const retryAfter = Number(response.headers.get('Retry-After') ?? 0)
    return new EarlyRefusal(response.status, code, error, retryAfter)
  }

  private constructor(status: number, code: ScriptoriumError['code'], message: string, retryAfter: number) {
    super(code, message, [], retryAfter > 0 ? retryAfter : undefined)
    this.#status = status
  }

  override get status(): number {
    return this.#status
  }
}
