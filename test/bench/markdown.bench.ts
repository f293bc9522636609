/** The Markdown modules' own figures, from the tests beside them. */
import type { Measure } from './figure.ts'

const source = new URL('../markdown/figures.ts', import.meta.url)

export const measure: Measure = async () => {
  const module = (await import(source.href).catch(notThere)) as { measure?: Measure }
  return (
    (await module.measure?.()) ?? {
      figures: [],
      notes: ['No figures of Markdown: test/markdown/figures.ts exports no measure.'],
    }
  )
}

function notThere(error: NodeJS.ErrnoException): object {
  if (error.code === 'ERR_MODULE_NOT_FOUND') return {}
  throw error
}
