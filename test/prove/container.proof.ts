/** The container image: built from the Dockerfile, run as docs/deploying.md says, used over a link, and stopped. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { buildFlags, makeBaseImages } from './container/base-images.ts'
import { openPodman, type Podman } from './container/podman.ts'
import { useImage } from './container/use-image.ts'
import { ROOT } from './mutated-sources.ts'
import type { Proof } from './proof.ts'

const MOST_MEGABYTES = 200
const IMAGE = 'scriptorium'

export const proof: Proof = {
  runsOnlyByName: true,
  promise:
    'The Dockerfile builds an image of at most 200 MB, which runs without rights on a read-only root as the documentation says, does the main job, reports its health and stops on request.',

  async run({ folder, log }) {
    const podman = await podmanWithImage(folder, log)
    const { figures, faults } = await useImage(podman, IMAGE, runCommand())
    const megabytes = await sizeOf(podman, IMAGE)
    return {
      figures: {
        'MB of the image': megabytes,
        'MB of Debian in it': await sizeOf(podman, baseImage()),
        ...figures,
      },
      faults: [...faults, ...tooLarge(megabytes)],
    }
  },

  /** Builds images with one fault each. Every fault has to be detected. */
  async control({ folder, log }) {
    const podman = await podmanWithImage(folder, log)
    const found: string[] = []
    for (const [index, [name, steps]] of Object.entries(PLANTED).entries()) {
      const context = join(folder, `planted-${index}`)
      mkdirSync(context)
      writeFileSync(join(context, 'Containerfile'), [`FROM ${IMAGE}`, ...steps].join('\n'))
      const image = `planted-${index}`
      await podman.output('build', ...buildFlags(), '--tag', image, context)
      const { faults } = await useImage(podman, image, runCommand())
      const [first] = [...faults, ...tooLarge(await sizeOf(podman, image))]
      if (first === undefined) log(`Expected to be found: ${name}.`)
      else found.push(`${name}: ${first}`)
    }
    const planted = Object.keys(PLANTED).length
    return { figures: { planted, found: found.length }, faults: found.length === planted ? found : [] }
  },
}

const asRoot = (step: string): string[] => ['USER root', step, 'USER scriptorium']

/** Build steps to add to the Dockerfile, by fault. */
const PLANTED: Readonly<Record<string, readonly string[]>> = {
  'the database is missing': asRoot('RUN find /usr/local -name "linux-*.node" -delete'),
  'too large': asRoot('RUN head -c 50000000 /dev/zero > /ballast'),
  'it runs as root': ['USER root'],
  'the folder of the space belongs to another user': ['USER nobody'],
  'the health check asks at another port': [
    'HEALTHCHECK CMD ["node", "--eval", "fetch(\'http://127.0.0.1:4811/health\')"]',
  ],
  'a shell does not pass on SIGTERM': ['ENTRYPOINT ["sh", "-c", "scriptorium \\"$@\\"; exit", "sh"]'],
}

let opened: Promise<Podman> | undefined

/** Builds the image once, for both the proof and its control. */
const podmanWithImage = (folder: string, log: (line: string) => void): Promise<Podman> =>
  (opened ??= (async () => {
    const podman = await openPodman()
    log('making stand-ins for the base images')
    await makeBaseImages(podman, folder)
    log('building the image')
    await podman.output('build', ...buildFlags(), '--tag', IMAGE, ROOT)
    return podman
  })())

/** The arguments of the `docker run` command in docs/deploying.md. */
function runCommand(): string[] {
  const text = readFileSync(join(ROOT, 'docs/deploying.md'), 'utf8')
  const [, line] = /^docker run (.*)$/m.exec(text) ?? []
  if (line === undefined)
    throw new Error('Expected a line that begins with docker run in docs/deploying.md, found none.')
  return line.split(' ')
}

/** The base image of the last stage of the Dockerfile. */
const baseImage = (): string =>
  [...readFileSync(join(ROOT, 'Dockerfile'), 'utf8').matchAll(/^FROM (\S+)/gm)].at(-1)?.[1] ?? ''

async function sizeOf(podman: Podman, image: string): Promise<number> {
  const bytes = Number(await podman.output('image', 'inspect', '--format', '{{.Size}}', image))
  return Math.round(bytes / 1e5) / 10
}

const tooLarge = (megabytes: number): string[] =>
  megabytes > MOST_MEGABYTES ? [`expected an image of at most ${MOST_MEGABYTES} MB, found ${megabytes}`] : []
