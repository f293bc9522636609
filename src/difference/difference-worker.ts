/** The worker thread that compares texts. */
import { answerInWorker } from '../base/worker.ts'
import { compareTexts } from './compare-texts.ts'

answerInWorker(compareTexts)
